import type { RepoReading } from "../domain/board.ts";
import { instant, soonest } from "../domain/ids.ts";
import type { Instant, RepoName, TaskId } from "../domain/ids.ts";
import { isObjective } from "../domain/objective.ts";
import type { ObjectiveIssue } from "../domain/objective.ts";
import { storyOf } from "../domain/story/task-story.ts";
import type { HeldBack } from "../ports/api-budget.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import type { RepoMemory } from "../ports/store.ts";
import { AppError } from "../shared/app-error.ts";
import {
  REPORT_KINDS,
  baseReport,
  checkReport,
  checkedCommit,
  commentDueAt,
  commentKey,
  exploreStep,
  inOrderOfWorth,
  storyVersion,
} from "./decide/decide-reports.ts";
import type { Checked, DueReport } from "./decide/decide-reports.ts";
import { ReportState } from "./decide/report-state.ts";
import { CardMarks, publishCards, readDesiredCards } from "./publish/publish-cards.ts";
import type { DesiredCards } from "./publish/publish-cards.ts";
import { publishBaseCheck, publishCheck, readGreen } from "./publish/publish-check.ts";
import { publishComment } from "./publish/publish-comment.ts";
import { answerView } from "./render/render-answer.ts";
import type { AnswerView } from "./render/render-answer.ts";

/** Names what reports touch of the world. */
type ReportDeps = Pick<
  Deps,
  "clock" | "github" | "log" | "lostStore" | "operator" | "publishing" | "store"
>;

/** This is a repository as its reports need it. */
export interface ReportedRepo {
  readonly context: RepoContext;
  readonly reading: RepoReading;
  readonly objectives: {
    readonly found: readonly ObjectiveIssue[] | undefined;
    readonly untrusted: ReadonlySet<TaskId>;
  };
  readonly stored: RepoMemory;
}

/** Brings the comments on objectives up to date. */
export type ReportObjectives = (
  context: RepoContext,
  seen: {
    readonly found: readonly ObjectiveIssue[];
    readonly untrusted: ReadonlySet<TaskId>;
    readonly reading: RepoReading;
    readonly stored: RepoMemory;
  },
  deps: Pick<Deps, "github" | "log" | "lostStore" | "store">,
) => Promise<void>;

/** A report says what to publish, and how; `publish` resolves to whether that took a call. */
interface Report extends DueReport {
  readonly publish: () => Promise<boolean>;
}

/** Cards are moved soon; cards that only have another reason wait longer, so that one call takes more of them. */
const MOVES_EVERY_MS = 500;
const NOTES_EVERY_MS = 30_000;

/**
 * Brings what people see in line with the store, one write at a time and the most important first. A report that is already right costs no
 * call, one that was overtaken is never written, and nobody waits for it.
 */
export class Reporter {
  readonly #deps: ReportDeps;
  readonly #reportObjectives: ReportObjectives;
  readonly #repos = new Map<RepoName, { readonly state: ReportState; readonly marks: CardMarks }>();

  constructor(deps: ReportDeps, reportObjectives: ReportObjectives) {
    this.#deps = deps;
    this.#reportObjectives = reportObjectives;
  }

  /** Lists the reports that people should see of a repository and do not see yet, the most important first. */
  heldBack(repo: RepoName): readonly HeldBack[] {
    const due = this.#repos.get(repo)?.state.heldBack ?? [];
    return REPORT_KINDS.flatMap((kind) => {
      const times = due.flatMap((report) => (report.kind === kind ? report.dueAt : []));
      const oldestAt = instant(Math.min(...times));
      return times.length === 0 ? [] : [{ kind, count: times.length, oldestAt }];
    });
  }

  /** Forgets what was reported of a repository: the store knows it, under the name that it has now. */
  forget(repo: RepoName): void {
    this.#repos.delete(repo);
  }

  /** Writes the most important report that is due, and resolves to when there is more to do. A tick follows each write, so that nothing overtaken is written. */
  async report(repo: ReportedRepo): Promise<Instant | undefined> {
    const { state, marks } = this.#stateOf(repo.context.repo);
    // Another server on the same store may have moved cards since, unless this tick goes on with the one before.
    if (this.#deps.operator.store.url !== undefined && !state.goesOn) marks.forget();
    const wanted = await this.#wanted(repo, { state, marks });
    const now = this.#deps.clock.now();
    const due = wanted.filter(({ dueAt }) => dueAt <= now);
    state.heldBack = due;
    if (state.pausedUntil > now) return state.pausedUntil;
    state.goesOn = false;
    state.goesOn = await this.#writeOne(inOrderOfWorth(due), repo.context, state);
    return state.goesOn ? this.#deps.clock.now() : state.nextLook(wanted, now);
  }

  #stateOf(repo: RepoName): { readonly state: ReportState; readonly marks: CardMarks } {
    const known = this.#repos.get(repo) ?? {
      state: new ReportState(),
      marks: new CardMarks(this.#deps.store),
    };
    this.#repos.set(repo, known);
    return known;
  }

  /** Writes the first report that takes a call; one that turns out to be written already is passed over. */
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
        // `wavetrain status` shows the reports that wait for the budget of writes; that is no trouble.
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
    const { context, reading, stored: memory } = repo;
    state.prune(memory.tasks.length);
    const cards = await readDesiredCards(memory, reading, marks);
    const wanted = [
      ...this.#cardReports(repo, cards, { state, marks }),
      ...this.#baseReports(context, memory),
      ...(await this.#taskReports(context, memory, state)),
      ...(await this.#objectiveReports(repo)),
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
    const apartMs = moves.length > 0 ? MOVES_EVERY_MS : NOTES_EVERY_MS;
    const publish = (): Promise<boolean> =>
      publishCards({ context, reading }, cards, { marks, deps: this.#deps });
    const version = [...moves, ...notes].map(({ task, mark }) => `${task} ${mark}`).join("\n");
    const dueAt = soonest(...moves.map((move) => move.dueAt)) ?? instant(0);
    const apart = instant((state.saidAt("cards") ?? 0) + apartMs);
    return [
      { kind: "card", key: "cards", version, dueAt: instant(Math.max(dueAt, apart)), publish },
    ];
  }

  #baseReports(context: RepoContext, { trains }: RepoMemory): readonly Report[] {
    return trains.flatMap((train) => {
      // The train of a base's former name says nothing any more.
      const report = train.base === context.base ? baseReport(train) : undefined;
      if (report === undefined) return [];
      const { head } = report;
      return [{ ...report, publish: () => publishBaseCheck(context, { train, head }, this.#deps) }];
    });
  }

  async #taskReports(
    context: RepoContext,
    memory: RepoMemory,
    state: ReportState,
  ): Promise<readonly Report[]> {
    const tasks = memory.tasks.filter((task) => !isObjective(task));
    const answers = await this.#answersOn(context.repo, tasks);
    const stories = tasks.map((task) => storyOf(task, memory));
    const waitingAfterMs = context.config.report.waitingAfter;
    const comments = stories.map((story): Report => {
      const { task } = story;
      const answer = answers.get(task.issue);
      const key = commentKey(task.id);
      const asked = JSON.stringify(answer ?? null);
      const step = exploreStep(story);
      const isStepSaid = state.isBegunWith(key, step);
      const timing = { saidAt: state.saidAt(key), isStepSaid, waitingAfterMs };
      // Whoever asked something waits for the answer.
      const isAsked = answer !== undefined && !state.isAnswered(key, asked);
      return {
        kind: "comment",
        key,
        version: `${step}\n${storyVersion(story)}\n${asked}`,
        dueAt: isAsked ? task.readySince : commentDueAt(story, timing),
        publish: () => publishComment(context, { story, answer }, this.#deps),
      };
    });
    const checked = stories.flatMap((story) => checkedCommit(story, memory.runs) ?? []);
    return [...comments, ...(await this.#checkReports(context, checked, answers))];
  }

  async #checkReports(
    context: RepoContext,
    checked: readonly Checked[],
    answers: ReadonlyMap<number, AnswerView>,
  ): Promise<readonly Report[]> {
    const green = await readGreen(context.repo, checked, this.#deps);
    const waitingAfterMs = context.config.report.waitingAfter;
    return checked.flatMap((one) => {
      const askedAt = answers.get(one.story.task.issue)?.last?.at;
      const report = checkReport(one, { waitingAfterMs, askedAt, isGreen: green.has(one.head) });
      if (report === undefined) return [];
      return [{ ...report, publish: () => publishCheck(context, one, this.#deps) }];
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
  async #objectiveReports(repo: ReportedRepo): Promise<readonly Report[]> {
    const { context, reading, objectives, stored } = repo;
    const { found, untrusted } = objectives;
    if (found === undefined || found.length === 0) return [];
    const issues = found.map(({ card }) => ({ issue: card.issue.number }));
    const answers = [...(await this.#answersOn(context.repo, issues))];
    const parts = found.map(({ card, subIssues }) => [card.issue.number, subIssues]);
    const states = stored.tasks.map(({ id, state, reason }) => [id, state, reason]);
    const publish = async (): Promise<boolean> => {
      await this.#reportObjectives(context, { found, untrusted, reading, stored }, this.#deps);
      return true;
    };
    const version = JSON.stringify([reading.readAt, parts, answers, states]);
    return [
      { kind: "comment", key: "objectives", version, dueAt: reading.readAt as Instant, publish },
    ];
  }
}
