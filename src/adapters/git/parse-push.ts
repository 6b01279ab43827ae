import type { PushOutcome } from "../../ports/git.ts";

/** Reads `git push --porcelain` of one ref; undefined when the remote was never asked. */
export function parsePush(stdout: string): PushOutcome | undefined {
  for (const line of stdout.split("\n")) {
    const [flag, refs, summary] = line.split("\t");
    if (flag === undefined || refs === undefined || summary === undefined) continue;
    if (flag === "!") return { kind: "rejected", reason: summary };
    if (/^[ +*=-]$/.test(flag)) return { kind: "pushed" };
  }
  return undefined;
}
