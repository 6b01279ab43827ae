import type { Clock } from "../../ports/clock.ts";
import type { Octokit } from "./connection.ts";
import { WritePace } from "./pace-writes.ts";

/** One budget for each installation, as GitHub counts them. */
export function createWritePaces(
  clock: Clock,
  pacing: "polite" | "off",
): (installation: number, client: Octokit) => Octokit {
  const paces = new Map<number, WritePace>();
  return (installation, client) => {
    if (pacing === "off") return client;
    const pace = paces.get(installation) ?? new WritePace(clock);
    paces.set(installation, pace);
    return pace.pace(client);
  };
}
