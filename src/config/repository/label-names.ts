import type { ColumnRole } from "../../domain/board.ts";
import type { RepoConfig } from "../schema/repo-config.ts";

export const ROLES: readonly ColumnRole[] = [
  "ready",
  "running",
  "review",
  "queued",
  "done",
  "blocked",
];

export type LabelNames = Readonly<Record<ColumnRole, string>>;

/** Returns the labels of a label board with their prefix. */
export function labelNames({ labelPrefix, labels }: RepoConfig["board"]): LabelNames {
  const name = (role: ColumnRole): string => `${labelPrefix}${labels[role]}`;
  return {
    ready: name("ready"),
    running: name("running"),
    review: name("review"),
    queued: name("queued"),
    done: name("done"),
    blocked: name("blocked"),
  };
}
