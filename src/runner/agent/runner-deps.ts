import type { Deps } from "../../ports/deps.ts";

/** Names what a run touches of the world. */
export type RunnerDeps = Pick<
  Deps,
  | "botLogin"
  | "clock"
  | "files"
  | "finishing"
  | "git"
  | "github"
  | "host"
  | "log"
  | "notices"
  | "operator"
  | "ports"
  | "processes"
  | "sandbox"
  | "store"
  | "wake"
>;
