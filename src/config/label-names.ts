import type { RepoConfig } from "./schema.ts";
import type { ColumnRole } from "../domain/board.ts";

export const ROLES: readonly ColumnRole[] = [
  "ready",
  "running",
  "review",
  "queued",
  "done",
  "blocked",
];

export type LabelNames = Readonly<Record<ColumnRole, string>>;

/** The whole names of a label board's labels. */
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
