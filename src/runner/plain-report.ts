import { instant } from "../domain/ids.ts";
import type { RunOutcome } from "../domain/run.ts";

/** EX_TEMPFAIL of sysexits.h: try again later. */
const LATER = 75;
/** What a shell answers for a program that is no program, or that is not there. */
const UNUSABLE: ReadonlySet<number> = new Set([126, 127]);

const LIMITED = /^wavetrain: limited(?: until (\S+))?\s*$/gm;

/** What any command can tell by its exit code and a line of its output; undefined: its exit code alone counts. */
export function plainReport(exitCode: number, tail: string): RunOutcome | undefined {
  if (UNUSABLE.has(exitCode)) {
    const reason = `the runner's command cannot be started: exit code ${exitCode}`;
    return { kind: "lost", reason };
  }
  if (exitCode !== LATER) return undefined;
  const said = [...tail.matchAll(LIMITED)].at(-1);
  if (said === undefined) return undefined;
  const at = Date.parse(said[1] ?? "");
  return { kind: "provider-limited", until: Number.isNaN(at) ? undefined : instant(at) };
}
