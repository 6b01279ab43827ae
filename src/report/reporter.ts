import type { Deps, RepoContext } from "../deps.ts";
import type { RepoReading } from "../domain/board.ts";
import { instant } from "../domain/ids.ts";
import type { Instant, RepoName, TaskId } from "../domain/ids.ts";
import { isObjective } from "../domain/objective.ts";
import type { ObjectiveIssue } from "../domain/objective.ts";
import { report as reportObjectives } from "../objectives/report.ts";
import type { HeldBack } from "../ports/api-budget.ts";
import type { RepoMemory } from "../ports/store.ts";
import { AppError } from "../shared/app-error.ts";
import {
  REPORT_KINDS,
  checkReport,
  checkedCommit,
  commentDueAt,
  commentKey,
  inOrderOfWorth,
  storyVersion,
} from "./decide-reports.ts";
import type { DueReport } from "./decide-reports.ts";
import { CardMarks, publishCards, readDesiredCards } from "./publish-cards.ts";
import type { DesiredCards } from "./publish-cards.ts";
import { publishCheck } from "./publish-check.ts";
import { publishComment } from "./publish-comment.ts";
import { answerView } from "./render-answer.ts";
import type { AnswerView } from "./render-answer.ts";
import { ReportState } from "./report-state.ts";
import { storyOf } from "./task-story.ts";

/** A repository as its reports need it. */
export interface ReportedRepo {
  readonly context: RepoContext;
  readonly reading: RepoReading;
  readonly objectives: {
    readonly found: readonly ObjectiveIssue[] | undefined;
    readonly untrusted: ReadonlySet<TaskId>;
  };
}

/** What is to be said, and how; resolves to whether that took a call. */
interface Report extends DueReport {
  readonly publish: () => Promise<boolean>;
}

/** Cards that only have another reason wait for company. */
const CARDS_APART_MS = 500;
const NOTES_APART_MS = 30_000;

/**
 * Brings what people see in line with the store, one write at a time and the most worthy first. What is already right costs no
 * call, what was overtaken is never said, and nobody waits for it.
 */
export class Reporter {
  readonly #deps: Deps;
  readonly #repos = new Map<RepoName, { readonly state: ReportState; readonly marks: CardMarks }>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** What people should see of a repository and do not see yet, the most worthy first. */
  heldBack(repo: RepoName): readonly HeldBack[] {
    const due = this.#repos.get(repo)?.state.heldBack ?? [];
    return REPORT_KINDS.flatMap((kind) => {
      const times = due.flatMap((report) => (report.kind === kind ? report.dueAt : []));
      const oldestAt = instant(Math.min(...times));
      return times.length === 0 ? [] : [{ kind, count: times.length, oldestAt }];
    });
  }

  /** Resolves to when there is more to do. */
  async report(repo: ReportedRepo): Promise<Instant | undefined> {
    const { state, marks } = this.#stateOf(repo.context.repo);
    // Another server on the same store may have moved cards since.
    if (this.#deps.operator.store.url !== undefined) marks.forget();
    for (;;) {
      const wanted = await this.#wanted(repo, { state, marks });
      const now = this.#deps.clock.now();
      const due = wanted.filter(({ dueAt }) => dueAt <= now);
      state.heldBack = due;
      if (state.pausedUntil > now) return state.pausedUntil;
      const wrote = await this.#writeOne(inOrderOfWorth(due), repo.context, state);
      if (!wrote) return state.nextLook(wanted, now);
    }
  }

  #stateOf(repo: RepoName): { readonly state: ReportState; readonly marks: CardMarks } {
    const known = this.#repos.get(repo) ?? {
      state: new ReportState(),
      marks: new CardMarks(this.#deps.store),
    };
    this.#repos.set(repo, known);
    return known;
  }

  /** The first that takes a call; what turns out to be said already is passed over. */
  async #writeOne(
    due: readonly Report[],
    { repo }: RepoContext,
    state: ReportState,
  ): Promise<boolean> {
    const { clock, log } = this.#deps;
    for (const report of due) {
      if (state.isPostponed(report, clock.now())) continue;
      try {
        const wrote = await report.publish();
        state.said(report, clock.now());
        if (wrote) return true;
      } catch (err) {
        if (!(err instanceof AppError)) throw err;
        const until = state.postpone(report, err, clock.now());
        const { kind, key } = report;
        // The status says what waits for the budget of writes; that is no trouble.
        const isTrouble = err.code !== "github-rate-limited";
        log[isTrouble ? "warn" : "debug"]({ repo, kind, key, until, err }, "report held back");
        if (state.pausedUntil > clock.now()) return true;
      }
    }
    return false;
  }

  async #wanted(
    repo: ReportedRepo,
    { state, marks }: { readonly state: ReportState; readonly marks: CardMarks },
  ): Promise<readonly Report[]> {
    const { context, reading } = repo;
    const memory = await this.#deps.store.readRepo(context.repo);
    state.prune(memory.tasks.length);
    const cards = await readDesiredCards(memory, reading, marks);
    const wanted = [
      ...this.#cardReports(repo, cards, { state, marks }),
      ...(await this.#taskReports(context, memory, state)),
      ...(await this.#objectiveReports(repo, memory)),
    ];
    return wanted.filter((report) => !state.isSaid(report));
  }

  #cardReports(
    { context, reading }: ReportedRepo,
    cards: DesiredCards,
    { state, marks }: { readonly state: ReportState; readonly marks: CardMarks },
  ): readonly Report[] {
    const { moves, notes } = cards;
    if (moves.length + notes.length === 0) return [];
    const apartMs = moves.length > 0 ? CARDS_APART_MS : NOTES_APART_MS;
    const publish = (): Promise<boolean> =>
      publishCards({ context, reading }, cards, { marks, deps: this.#deps });
    const version = [...moves, ...notes].map(({ task, mark }) => `${task} ${mark}`).join("\n");
    const dueAt = instant((state.saidAt("cards") ?? 0) + apartMs);
    return [{ kind: "card", key: "cards", version, dueAt, publish }];
  }

  async #taskReports(
    context: RepoContext,
    memory: RepoMemory,
    state: ReportState,
  ): Promise<readonly Report[]> {
    const tasks = memory.tasks.filter((task) => !isObjective(task));
    const answers = await this.#answersOn(context.repo, tasks);
    const deps = this.#deps;
    const waitingAfterMs = context.config.report.waitingAfter;
    return tasks.flatMap((task) => {
      const story = storyOf(task, memory);
      const answer = answers.get(task.issue);
      const key = commentKey(task.id);
      const asked = JSON.stringify(answer ?? null);
      const situation = { task, saidAt: state.saidAt(key), waitingAfterMs };
      // Whoever asked something waits for the answer.
      const isAsked = answer !== undefined && !state.isAnswered(key, asked);
      const comment: Report = {
        kind: "comment",
        key,
        version: `${storyVersion(story)}\n${asked}`,
        dueAt: isAsked ? task.readySince : commentDueAt(situation),
        publish: () => publishComment(context, { story, answer }, deps),
      };
      const checked = checkedCommit(story, memory.runs);
      const check = checked && checkReport(checked, waitingAfterMs);
      if (checked === undefined || check === undefined) return [comment];
      return [comment, { ...check, publish: () => publishCheck(context, checked, deps) }];
    });
  }

  async #answersOn(
    repo: RepoName,
    tasks: readonly { readonly issue: number }[],
  ): Promise<ReadonlyMap<number, AnswerView>> {
    const issues = tasks.map(({ issue }) => issue);
    const given = await this.#deps.store.answersOn(repo, issues);
    const views = [...new Set(given.map(({ issue }) => issue))].flatMap((issue) => {
      const view = answerView(given.filter((command) => command.issue === issue));
      return issue === undefined || view === undefined ? [] : [[issue, view] as const];
    });
    return new Map(views);
  }

  /** The comment on each objective tells how far its tasks are. */
  async #objectiveReports(repo: ReportedRepo, { tasks }: RepoMemory): Promise<readonly Report[]> {
    const { context, reading, objectives } = repo;
    const { found, untrusted } = objectives;
    if (found === undefined || found.length === 0) return [];
    const issues = found.map(({ card }) => ({ issue: card.issue.number }));
    const answers = [...(await this.#answersOn(context.repo, issues))];
    const parts = found.map(({ card, subIssues }) => [card.issue.number, subIssues]);
    const states = tasks.map(({ id, state, reason }) => [id, state, reason]);
    const publish = async (): Promise<boolean> => {
      await reportObjectives(context, { found, untrusted, reading }, this.#deps);
      return true;
    };
    const version = JSON.stringify([reading.readAt, parts, answers, states]);
    return [
      { kind: "comment", key: "objectives", version, dueAt: reading.readAt as Instant, publish },
    ];
  }
}
