import { instant, soonest } from "../../domain/ids.ts";
import type { Instant } from "../../domain/ids.ts";
import type { AppError } from "../../shared/app-error.ts";
import { backoffMs } from "../../shared/backoff.ts";
import type { DueReport, ReportKind } from "./decide-reports.ts";

/** A report that GitHub refuses is tried later with each failure; the others go on. */
const PAUSES = { firstMs: 2_000, longestMs: 60_000 };
/** When our own budget of writes is used up, all reports of that kind wait this long. Asking the budget again costs nothing. */
const BUDGET_PAUSE_MS = 2_000;
const MAX_ENTRIES_PER_TASK = 4;

interface Postponed {
  readonly failures: number;
  readonly until: Instant;
}

/**
 * It remembers for one repository what was reported where and what has to wait. Losing it costs only a comparison with what the store
 * remembers.
 */
export class ReportState {
  readonly #said = new Map<string, { readonly version: string; readonly at: Instant }>();
  readonly #postponed = new Map<string, Postponed>();
  readonly #kindsPostponed = new Map<ReportKind, Instant>();
  heldBack: readonly DueReport[] = [];
  /** The last tick wrote something, and the next one follows at once. */
  goesOn = false;
  /** GitHub asked to be left alone until then. */
  pausedUntil: Instant = instant(0);

  isSaid({ key, version }: DueReport): boolean {
    return this.#said.get(key)?.version === version;
  }

  saidAt(key: string): Instant | undefined {
    return this.#said.get(key)?.at;
  }

  isAnswered(key: string, answer: string): boolean {
    return this.#said.get(key)?.version.endsWith(`\n${answer}`) === true;
  }

  /** What was said last began so. */
  isBegunWith(key: string, step: string): boolean {
    return this.#said.get(key)?.version.startsWith(`${step}\n`) === true;
  }

  said({ key, version }: DueReport, at: Instant): void {
    this.#said.set(key, { version, at });
    this.#postponed.delete(key);
  }

  isPostponed(report: DueReport, now: Instant): boolean {
    return this.#postponedUntil(report) > now;
  }

  #postponedUntil({ key, kind }: DueReport): number {
    return Math.max(this.#postponed.get(key)?.until ?? 0, this.#kindsPostponed.get(kind) ?? 0);
  }

  /** Returns until when the report waits. */
  postpone({ key, kind }: DueReport, error: AppError, now: Instant): Instant {
    if (error.retryAfterMs !== undefined) {
      this.pausedUntil = instant(now + error.retryAfterMs);
      return this.pausedUntil;
    }
    if (error.code === "github-rate-limited") {
      const until = instant(now + BUDGET_PAUSE_MS);
      this.#kindsPostponed.set(kind, until);
      return until;
    }
    const failures = (this.#postponed.get(key)?.failures ?? 0) + 1;
    const until = instant(now + backoffMs(failures, PAUSES));
    this.#postponed.set(key, { failures, until });
    return until;
  }

  /** Returns when something becomes due, or may be tried again. */
  nextLook(wanted: readonly DueReport[], now: Instant): Instant | undefined {
    const times = wanted.map((report) =>
      instant(Math.max(report.dueAt, this.#postponedUntil(report), this.pausedUntil)),
    );
    return soonest(...times.filter((time) => time > now));
  }

  /** Forgets everything once it holds far more than the present tasks need: the store no longer has the other tasks. */
  prune(tasks: number): void {
    if (this.#said.size <= MAX_ENTRIES_PER_TASK * (tasks + 10)) return;
    this.#said.clear();
  }
}
