import type { PushOutcome } from "../../ports/git.ts";

/** The remote did not get whole what it was to take: it has refused nothing. */
const BROKEN_OFF = /\(unpacker error\)$/;

/** Reads `git push --porcelain` of one ref; undefined when the remote was never asked, or could not answer. */
export function parsePush(stdout: string): PushOutcome | undefined {
  for (const line of stdout.split("\n")) {
    const [flag, refs, summary] = line.split("\t");
    if (flag === undefined || refs === undefined || summary === undefined) continue;
    if (flag === "!" && BROKEN_OFF.test(summary)) return undefined;
    if (flag === "!") return { kind: "rejected", reason: summary };
    if (/^[ +*=-]$/.test(flag)) return { kind: "pushed" };
  }
  return undefined;
}
