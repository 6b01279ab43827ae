export type Level = "ok" | "warning" | "problem" | "skipped";

/** These are the names of the checks. They never change, because scripts rely on them; docs/troubleshooting.md has a row for each. */
export const CHECKS = [
  "app",
  "base-branch",
  "board",
  "clock",
  "columns",
  "configuration",
  "credentials",
  "data-folder",
  "deliveries",
  "disk",
  "events",
  "fields",
  "git",
  "git-lfs",
  "github",
  "host",
  "installation",
  "labels",
  "left-alone",
  "leftovers",
  "node",
  "out-of-reach",
  "permissions",
  "processes",
  "repositories",
  "repository",
  "repository-file",
  "runner",
  "sandbox",
  "setup",
  "store",
  "verify",
  "visibility",
  "webhook",
] as const;

type CheckName = (typeof CHECKS)[number];

/** A finding says what one check found. */
export interface Finding {
  readonly check: CheckName;
  /** It names the repository, the runner or the account; null when the finding is about all. */
  readonly about: string | null;
  readonly level: Level;
  readonly message: string;
  /** It says what to do about it; null when there is nothing to do. */
  readonly fix: string | null;
}

/** The findings of a section are read together. */
export interface Section {
  readonly title: string;
  readonly findings: readonly Finding[];
}

interface Subject {
  readonly check: CheckName;
  readonly about?: string | null;
}

export interface Reporter {
  ok(message: string): Finding;
  warning(message: string, fix: string): Finding;
  problem(message: string, fix: string): Finding;
  /** The check could not be made; another finding says what is in the way. */
  skipped(message: string): Finding;
}

/** Makes findings of one check. */
export function reporterOf({ check, about = null }: Subject): Reporter {
  const found = (level: Level, message: string, fix: string | null): Finding => ({
    check,
    about,
    level,
    message,
    fix,
  });
  return {
    ok: (message) => found("ok", message, null),
    warning: (message, fix) => found("warning", message, fix),
    problem: (message, fix) => found("problem", message, fix),
    skipped: (message) => found("skipped", message, null),
  };
}
