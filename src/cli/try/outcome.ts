import type { TaskId } from "../../domain/ids.ts";
import { taskIdOf } from "../../domain/ids.ts";
import type { Backlog } from "../../planner/waves/backlog.ts";
import type { BaseFailure } from "../trial/check-base.ts";
import { maxParallel, serialTime } from "../trial/spans.ts";
import type { Span } from "../trial/spans.ts";
import { repositoryOf } from "../trial/stage.ts";
import type { TryOptions } from "./input/options.ts";
import type { Ledger } from "./ledger.ts";
import { speedUps, taskResult } from "./result.ts";
import type { Measured, TaskResult, TryResult } from "./result.ts";
import { issueNumbers } from "./stage.ts";
import type { Stage } from "./stage.ts";
import { withNames } from "./view.ts";
import type { Names } from "./view.ts";

/** `at-rest` means that nothing more would have happened by itself. */
export type TryEnd = "at-rest" | "interrupted" | "red-base";

export interface TryOutcome {
  readonly end: TryEnd;
  /** It is set where the base itself is red. */
  readonly base: BaseFailure | undefined;
  readonly result: TryResult;
  readonly spans: readonly (Span & { readonly id: string })[];
  readonly startedAt: number;
  readonly folder: string;
  /** The changes landed on this branch. */
  readonly branch: string;
}

export interface Ending {
  readonly end: TryEnd;
  readonly base: BaseFailure | undefined;
  readonly stage: Stage;
  readonly ledger: Ledger;
  readonly options: TryOptions;
  readonly waves: ReadonlyMap<string, number>;
  readonly backlog: Backlog;
  readonly startedAt: number;
  readonly folder: string;
}

/** Names every task: those of the file by their ids there, cards that were made during the trial by their numbers. */
export function idsOf(stage: Stage, ledger: Ledger): ReadonlyMap<TaskId, string> {
  const repo = repositoryOf(stage);
  const declared = [...stage.issues].map(
    ([id, issue]) => [taskIdOf(repo, issue.number), id] as const,
  );
  const known = new Set(declared.map(([task]) => task));
  const others = [...ledger.tasks.values()].filter(({ id }) => !known.has(id));
  return new Map([...declared, ...others.map(({ id, issue }) => [id, `#${issue}`] as const)]);
}

export function namesOf(stage: Stage, { tasks }: Pick<TryOptions, "tasks">): Names {
  const numbers = issueNumbers(tasks);
  const byNumber = new Map([...numbers].map(([id, number]) => [number, id]));
  return { repo: repositoryOf(stage), byNumber };
}

/** Sums up how it went. */
export function outcomeOf(ending: Ending): TryOutcome {
  const { end, base, stage, ledger, startedAt, folder } = ending;
  const ids = idsOf(stage, ledger);
  const spans = ledger.spans().map((span) => ({ ...span, id: ids.get(span.task as TaskId) ?? "" }));
  const lastChange = [...ledger.tasks.values()].map((task) => task.changedAt);
  const finishedAt = Math.max(startedAt, ...lastChange);
  const { repository } = stage;
  const wallTimeMs = finishedAt - startedAt;
  const result: TryResult = {
    tasks: tasksOf(ending, ids),
    end,
    main: repository.refs.get(`refs/heads/${repository.defaultBranch}`) ?? "",
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: new Date(finishedAt).toISOString(),
    apiCalls: stage.github.calls(),
    maxParallel: maxParallel(spans),
    serialTimeMs: serialTime(spans),
    wallTimeMs,
    ...speedUps(
      { spans, ...fates(ledger, ids), wallTimeMs },
      { backlog: ending.backlog, slots: ending.options.parallel },
    ),
    repo: repository.dir,
  };
  const branch = repository.defaultBranch;
  return { end, base, result, spans, startedAt, folder, branch };
}

function tasksOf(
  { stage, ledger, options, waves, base }: Ending,
  ids: ReadonlyMap<TaskId, string>,
): readonly TaskResult[] {
  const names = namesOf(stage, options);
  const runs = [...ledger.runs.values()];
  const verifications = ledger.spans().filter(({ kind }) => kind === "verify");
  return [...ids].map(([taskId, id]) => {
    const landing = verifications.filter(({ task }) => task === taskId);
    const { whereabouts = "waiting", why = "" } = ledger.viewOf(taskId) ?? {};
    const past = { runs, landing, wave: waves.get(id) ?? null, whereabouts, why };
    const result = taskResult(id, ledger.tasks.get(taskId), past);
    return { ...result, reason: base?.reason ?? withNames(result.reason, names) };
  });
}

function fates(
  { tasks, pauses }: Ledger,
  ids: ReadonlyMap<TaskId, string>,
): Pick<Measured, "pauses" | "landed"> {
  const named = [...ids];
  return {
    pauses: new Map(named.map(([task, id]) => [id, pauses.get(task) ?? []])),
    landed: new Set(named.flatMap(([task, id]) => (tasks.get(task)?.state === "landed" ? id : []))),
  };
}
