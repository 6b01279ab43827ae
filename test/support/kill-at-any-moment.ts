import { setTimeout as delay } from "node:timers/promises";
import type { AppProcess } from "./app-process.ts";
import type { World } from "./world.ts";

/** Every fourth process is killed before it answers, at a moment of its start. */
const START_MS = 700;

interface Death {
  readonly random: () => number;
  readonly longestLifeMs: number;
}

/** Starts the app and kills it at a moment that is drawn. */
export async function killAtAnyMoment(
  world: World,
  app: AppProcess,
  { random, longestLifeMs }: Death,
): Promise<void> {
  await app.begin();
  if (random() < 0.25) {
    await delay(random() * START_MS);
  } else {
    await world.until("the app answers", () => app.answers());
    // Short lives are more likely, so that every moment of a task's way has its turn.
    await delay(random() ** 2 * longestLifeMs);
  }
  await app.kill();
}
