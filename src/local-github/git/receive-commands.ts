import type { RefUpdate } from "./refs.ts";
import { ZERO_SHA } from "./refs.ts";

/** What a push asks for: the command lines before the pack, each a length in hex and `old new ref`. */
export function receiveCommands(body: Buffer): readonly RefUpdate[] {
  const updates: RefUpdate[] = [];
  for (let at = 0; at + 4 <= body.length;) {
    const length = Number.parseInt(body.toString("latin1", at, at + 4), 16);
    if (!(length > 4)) break;
    const [command = ""] = body.toString("utf8", at + 4, at + length).split("\0");
    const [before = "", after = "", name = ""] = command.trim().split(" ");
    updates.push({ name, before: orNone(before), after: orNone(after) });
    at += length;
  }
  return updates;
}

function orNone(sha: string): string | null {
  return sha === ZERO_SHA ? null : sha;
}
