export type Level = "ok" | "warning" | "problem" | "skipped";

/** What one check found. */
export interface Finding {
  /** The name of the check, always the same: for scripts. */
  readonly check: string;
  /** The repository, the runner or the account that it is about; null when it is about all. */
  readonly about: string | null;
  readonly level: Level;
  readonly message: string;
  /** What to do about it; null when there is nothing to do. */
  readonly fix: string | null;
}

/** Findings that are read together. */
export interface Section {
  readonly title: string;
  readonly findings: readonly Finding[];
}

interface Subject {
  readonly check: string;
  readonly about?: string | null;
}

export interface Reporter {
  ok(message: string): Finding;
  warning(message: string, fix: string): Finding;
  problem(message: string, fix: string): Finding;
  /** It could not be looked at; what is in the way is another finding. */
  skipped(message: string): Finding;
}

/** Findings of one check. */
export function reporterOf({ check, about = null }: Subject): Reporter {
  const found = (level: Level, message: string, fix: string | null): Finding => ({
    ...{ check, about, level, message, fix },
  });
  return {
    ok: (message) => found("ok", message, null),
    warning: (message, fix) => found("warning", message, fix),
    problem: (message, fix) => found("problem", message, fix),
    skipped: (message) => found("skipped", message, null),
  };
}
