import type { RunOutcome } from "../domain/run.ts";
import type { History } from "./history.ts";

/** After these the conversation itself may be what is wrong. */
const SPOILED: readonly RunOutcome["kind"][] = ["failed", "cancelled", "disk-limit"];

/** The conversation of the attempt before, if the same runner had it and it is worth going on with. */
export function resumableSession(
  { session, previous }: History,
  runner: string,
): string | undefined {
  if (session?.runner !== runner || previous === undefined) return undefined;
  return SPOILED.includes(previous.kind) ? undefined : session.id;
}
