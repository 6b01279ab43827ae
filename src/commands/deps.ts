import type { Deps } from "../ports/deps.ts";

/** Names what the commands stage touches of the world. */
export type CommandsDeps = Pick<
  Deps,
  | "background"
  | "botLogin"
  | "clock"
  | "finishing"
  | "github"
  | "host"
  | "log"
  | "lostStore"
  | "operator"
  | "store"
  | "wake"
  | "wakeOthers"
>;
