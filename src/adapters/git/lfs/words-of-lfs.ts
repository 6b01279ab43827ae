import type { MirrorPlace } from "../mirror/mirror-git.ts";
import type { GitResult } from "../run/run-git.ts";

const MAX_WORDS = 300;

/** These say how far a transfer is, where the whole story was written, or how to set something that we set for each command. */
const ASIDE =
  /^(?:(?:Up|Down)loading LFS objects|Locking support detected|\s*\$ git config|Errors logged to|Use `git lfs logs|fetch: Fetching reference|error: failed to (?:push|fetch) some)/;

/** Finds what git-lfs says of a failure, without secrets. It has no other way to tell. */
export function wordsOfLfs({ stderr, stdout }: GitResult, { secrets = [] }: MirrorPlace): string {
  const lines = `${stderr}\n${stdout}`
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !ASIDE.test(line));
  const words = [...new Set(lines)].join(" ");
  const safe = secrets.reduce((text, secret) => text.replaceAll(secret, "***"), words);
  return safe.slice(0, MAX_WORDS) || "git-lfs gave no reason";
}
