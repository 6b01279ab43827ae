import type { Deps } from "../../ports/deps.ts";

/** Names what the train touches of the world. */
export type TrainDeps = Pick<
  Deps,
  | "background"
  | "clock"
  | "files"
  | "git"
  | "github"
  | "holder"
  | "host"
  | "log"
  | "operator"
  | "ports"
  | "processes"
  | "publishing"
  | "sandbox"
  | "store"
  | "wake"
>;
