import type { Installation } from "../model/app.ts";
import type { World } from "../model/world.ts";
import type { Spending } from "../rest/budget.ts";

const HOUR_MS = 60 * 60 * 1000;
/** What GitHub gives an installation with few repositories and users. */
const LIMIT = 5000;

interface Window {
  readonly startMs: number;
  used: number;
}

const windows = new WeakMap<Installation, Window>();

/** The installation's GraphQL points in this hour. */
export function graphqlSpending(world: World, installation: Installation): Spending {
  const { startMs, used } = windowOf(world, installation);
  const reset = Math.ceil((startMs + HOUR_MS) / 1000);
  return { limit: LIMIT, used, remaining: LIMIT - used, reset };
}

/** False when the points do not suffice; then nothing is spent. */
export function spendPoints(world: World, installation: Installation, points: number): boolean {
  const window = windowOf(world, installation);
  if (window.used + points > LIMIT) return false;
  window.used += points;
  return true;
}

function windowOf(world: World, installation: Installation): Window {
  const now = world.now();
  const known = windows.get(installation);
  if (known && now < known.startMs + HOUR_MS) return known;
  const fresh = { startMs: now, used: 0 };
  windows.set(installation, fresh);
  return fresh;
}
