import { specOfObjective, specOfTask } from "../board/issue/task-from-issue.ts";
import { isOpenEntry } from "../domain/entry.ts";
import type { CommandAnswer } from "../domain/given-command.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { RepoName, TaskId } from "../domain/ids.ts";
import { isObjective, objectiveTaskId } from "../domain/objective.ts";
import type { ObjectiveIssue } from "../domain/objective.ts";
import { storyOf } from "../domain/story/task-story.ts";
import type { ReadCard } from "../domain/read-card.ts";
import type { Task } from "../domain/task.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import type { RepoMemory } from "../ports/store.ts";
import { readSnapshot as readSchedule } from "../scheduler/snapshot.ts";
import type { Seen } from "../scheduler/snapshot.ts";
import { routeOf } from "../scheduler/slots/routes.ts";
import { healthOf } from "../scheduler/slots/slots.ts";
import { digest } from "../shared/digest.ts";
import { vouchByCommand } from "../trust/vouch-by-command.ts";
import type { ByCommand } from "../trust/vouch-by-command.ts";
import type { CommandSnapshot } from "./decision.ts";
import type { CommandsDeps } from "./deps.ts";
import { explanation, planWords } from "./explain-command.ts";
import type { IncomingCommand } from "./read-command.ts";

/** The tick knows this of GitHub. */
export interface SeenByCommands extends Seen {
  readonly objectives?: {
    /** It is undefined if nobody has looked yet. */
    readonly found: readonly ObjectiveIssue[] | undefined;
    readonly untrusted: ReadonlySet<TaskId>;
  };
}

export interface Surroundings {
  readonly context: RepoContext;
  readonly seen: SeenByCommands;
  readonly memory: RepoMemory;
}

export async function readSnapshot(
  incoming: IncomingCommand,
  surroundings: Surroundings,
  deps: CommandsDeps,
): Promise<CommandSnapshot> {
  const { context, seen, memory } = surroundings;
  const { repo } = context;
  const { command, by, trusted, issue } = incoming;
  const task = issue === undefined ? undefined : taskOf(memory.tasks, { repo, issue });
  const id = task?.id;
  const given = issue === undefined ? [] : await deps.store.answersOn(repo, [issue]);
  return {
    command,
    by,
    trusted,
    issue,
    task,
    now: deps.clock.now(),
    runs: memory.runs.filter((run) => run.task === id && run.state !== "finished"),
    exploring: task && storyOf(task, memory).exploring,
    entry: memory.entries.findLast((entry) => entry.task === id && isOpenEntry(entry.state)),
    card: seen.reading.board.cards.find(
      (card) => card.issue.repo === repo && card.issue.number === issue,
    ),
    labelled: seen.objectives?.found?.some(({ card }) => card.issue.number === issue),
    labels: context.config.labels,
    pause: await deps.store.pauseOf(repo),
    trains: memory.trains,
    told: given.some(({ result, answer }) => result === "untrusted" && answer.lines.length > 0),
    pausedRunner: trusted
      ? await pausedRunner(command.kind, { ...surroundings, task }, deps)
      : undefined,
    text: trusted ? await acceptedText(incoming, { ...surroundings, task }, deps) : undefined,
    words: trusted ? await wordsFor(incoming, { ...surroundings, task }, deps) : undefined,
  };
}

/** Looks only where another attempt is asked for. A provider's limit stays: it ends by itself. */
async function pausedRunner(
  kind: IncomingCommand["command"]["kind"],
  { context, seen, memory, task }: Surroundings & { readonly task: Task | undefined },
  deps: CommandsDeps,
): Promise<string | undefined> {
  if (kind !== "retry" || task === undefined) return undefined;
  const schedule = await readSchedule(context, { ...seen, stored: memory }, deps);
  const { limits } = schedule;
  const routing = { ...limits, defaultRunner: context.config.runner ?? limits.defaultRunner };
  const failed = memory.runs.findLast((run) => run.task === task.id)?.runner;
  const runner = (task.state === "waiting" ? undefined : failed) ?? routeOf(task.spec, routing)[0];
  if (runner === undefined) return undefined;
  const { pause } = healthOf(runner, limits.rest, schedule);
  return pause === undefined || pause.cause === "limit" ? undefined : runner;
}

/** A button or the operator's word has no time on GitHub: it accepts nothing that was written since. */
async function acceptedText(
  { command, by, saidAt }: IncomingCommand,
  { context, seen, task }: Surroundings & { readonly task: Task | undefined },
  deps: Pick<Deps, "github">,
): Promise<ByCommand | undefined> {
  if (command.kind !== "retry" || task === undefined || saidAt === undefined) return undefined;
  const read = readOf(task, seen, context);
  if (read === undefined) return undefined;
  return vouchByCommand(context, { read, task, gesture: { by, at: saidAt } }, deps);
}

/** Reads the task's issue as it is at this moment; it returns undefined when it is not on the board. */
function readOf(
  task: Task,
  { reading, objectives }: SeenByCommands,
  { config }: RepoContext,
): ReadCard | undefined {
  const cards = isObjective(task)
    ? (objectives?.found ?? []).map(({ card }) => card)
    : reading.board.cards;
  const card = cards.find(({ issue }) => issue.repo === task.repo && issue.number === task.issue);
  if (card === undefined) return undefined;
  const spec = (isObjective(task) ? specOfObjective : specOfTask)(card.issue, config);
  return { card, spec, specHash: digest(spec) };
}

/** Returns the issue's own task, or that of the run that breaks it into tasks. */
function taskOf(
  tasks: readonly Task[],
  { repo, issue }: { readonly repo: RepoName; readonly issue: number },
): Task | undefined {
  const byId = (id: TaskId) => tasks.find((task) => task.id === id);
  return byId(taskIdOf(repo, issue)) ?? byId(objectiveTaskId(repo, issue));
}

/** The planner is asked only when its answer is wanted. */
async function wordsFor(
  { command: { kind }, fromServer }: IncomingCommand,
  { context, seen, memory, task }: Surroundings & { readonly task: Task | undefined },
  deps: Pick<Deps, "background" | "clock" | "finishing" | "host" | "operator" | "store">,
): Promise<CommandAnswer | undefined> {
  const schedule = () => readSchedule(context, { ...seen, stored: memory }, deps);
  if (kind === "plan") return planWords(await schedule());
  if (kind !== "explain" || task === undefined) return undefined;
  return explanation(storyOf(task, memory), await schedule(), { forOperator: fromServer === true });
}
