import type { RepoReading } from "../../domain/board.ts";
import type { Intent } from "../../domain/change.ts";
import { isOpenEntry } from "../../domain/entry.ts";
import type { Entry } from "../../domain/entry.ts";
import type { RepoPause } from "../../domain/given-command.ts";
import { instant } from "../../domain/ids.ts";
import type { Instant, RepoName, Sha } from "../../domain/ids.ts";
import { isApproved } from "../../domain/pull-review.ts";
import type { RetryPolicy } from "../../domain/retry.ts";
import type { Run } from "../../domain/run.ts";
import type { Task } from "../../domain/task.ts";
import { trainIdOf } from "../../domain/train.ts";
import type { Train } from "../../domain/train.ts";
import { knownVerdict } from "../../domain/verification.ts";
import type { Verdict } from "../../domain/verification.ts";
import type { Deps, RepoContext } from "../../ports/deps.ts";
import type { PullReadiness } from "../../ports/github.ts";
import type { RepoMemory } from "../../ports/store.ts";
import { commandHash, trainPolicy, retryPolicy } from "./policy.ts";
import type { TrainPolicy } from "./policy.ts";

export interface BaseTip {
  readonly commit: Sha;
  readonly tree: Sha;
  /** This is the verdict on the commit's tree. */
  readonly verdict: "green" | "red" | "unknown";
  /** This is the last red one, if there is one that counts. */
  readonly red?: Pick<Verdict, "tail" | "logPath"> | undefined;
}

/** A snapshot is read once and holds everything that the train decides on. */
export interface TrainSnapshot {
  readonly repo: RepoName;
  readonly base: string;
  readonly now: Instant;
  readonly reading: RepoReading;
  readonly tasks: readonly Task[];
  readonly entries: readonly Entry[];
  readonly runs: readonly Run[];
  readonly intents: readonly Intent[];
  /** It is undefined as long as nothing was ever in the train. */
  readonly train: Train | undefined;
  /** These are the trains of every base that the repository has had. */
  readonly trains: readonly Train[];
  /** The pause holds for the whole repository. */
  readonly pause: RepoPause | undefined;
  readonly policy: TrainPolicy;
  /** It is undefined while nothing is in the train and nothing was refused. */
  readonly tip: BaseTip | undefined;
  /** These are all verdicts on the trees under verification. */
  readonly verdicts: ReadonlyMap<Sha, readonly Verdict[]>;
  /** This says how checks judge the pull requests that may land next, where the rules ask for checks. */
  readonly readiness: ReadonlyMap<number, PullReadiness>;
  readonly retry: RetryPolicy;
  /** The app may change workflow files, by what it knows of its installation. */
  readonly mayWriteWorkflows?: boolean | undefined;
  /** A landing would wait this long for GitHub's budget. */
  readonly landDelayMs: number;
  /** A number from 0 to 1 is drawn for this snapshot. */
  readonly jitter: number;
}

interface Seen {
  readonly reading: RepoReading;
  /** The base may be as old as this; without it, the base is fetched anew. */
  readonly since: Instant | undefined;
  readonly stored: RepoMemory;
}

export async function readSnapshot(
  context: RepoContext,
  { reading, since, stored }: Seen,
  deps: Pick<Deps, "clock" | "git" | "github" | "host" | "operator" | "store">,
): Promise<TrainSnapshot> {
  const { repo, base, config } = context;
  const { tasks, entries, runs, intents, trains } = stored;
  const train = trains.find(({ id }) => id === trainIdOf(repo, base));
  const open = entries.filter((entry) => isOpenEntry(entry.state));
  const counting = { since, redsFrom: train?.redsFrom ?? 0 };
  const policy = trainPolicy(config, await deps.github.branchRules(repo, base));
  return {
    repo,
    base,
    now: deps.clock.now(),
    reading,
    tasks,
    entries,
    runs,
    intents,
    train,
    trains,
    pause: await deps.store.pauseOf(repo),
    policy,
    readiness: await readReadiness(context, { reading, policy, tasks }, deps),
    tip: needsTip(open, stored) ? await readTip(context, counting, deps) : undefined,
    verdicts: await readVerdicts(context, open, deps),
    retry: retryPolicy(context, deps),
    mayWriteWorkflows: context.mayWriteWorkflows,
    landDelayMs: (await deps.github.nextWriteAt(repo, "landing")) - deps.clock.now(),
    jitter: deps.host.random(),
  };
}

/** A webhook tells that a check succeeded. If it is lost, the checks are looked at again after this time. */
export const LOOK_AT_CHECKS_EVERY_MS = 60_000;

type Readying = Pick<TrainSnapshot, "reading" | "policy" | "tasks">;

/** Reads the checks of pull requests that are approved and not in the train yet. */
async function readReadiness(
  { repo }: RepoContext,
  { reading, policy, tasks }: Readying,
  { clock, github }: Pick<Deps, "clock" | "github">,
): Promise<TrainSnapshot["readiness"]> {
  if (!policy.asksForChecks) return new Map();
  const reviewed = new Set(tasks.flatMap(({ state, pull }) => (state === "review" ? pull : [])));
  const approved = reading.pulls.filter(
    (pull) => reviewed.has(pull.number) && isApproved(pull, policy),
  );
  if (approved.length === 0) return new Map();
  const pulls = approved.map(({ number }) => number);
  const since = Math.max(reading.readAt, clock.now() - LOOK_AT_CHECKS_EVERY_MS / 2);
  return github.readiness(repo, { pulls, required: policy.required }, instant(since));
}

/** Where GitHub refused something, a base that moved is a reason to ask again. */
function needsTip(open: readonly Entry[], { tasks, entries }: RepoMemory): boolean {
  const reviewed = new Set(tasks.flatMap(({ id, state }) => (state === "review" ? id : [])));
  return (
    open.length > 0 ||
    entries.some(({ task, refusedUnder }) => refusedUnder !== undefined && reviewed.has(task))
  );
}

async function readTip(
  { repo, base, config }: RepoContext,
  { since, redsFrom }: { readonly since: Instant | undefined; readonly redsFrom: number },
  deps: Pick<Deps, "git" | "store">,
): Promise<BaseTip> {
  const commit = await deps.git.fetchBranch(repo, base, since);
  const tree = await deps.git.treeOf(repo, commit);
  const verdicts = await deps.store.verdicts(repo, tree, commandHash(config));
  const counted = verdicts.filter(({ verdict, at }) => verdict === "green" || at >= redsFrom);
  const red = counted.findLast(({ verdict }) => verdict === "red");
  return { commit, tree, verdict: knownVerdict(counted), red };
}

async function readVerdicts(
  { repo, config }: RepoContext,
  open: readonly Entry[],
  deps: Pick<Deps, "store">,
): Promise<ReadonlyMap<Sha, readonly Verdict[]>> {
  const trees = new Set(open.flatMap(({ candidate }) => candidate?.tree ?? []));
  const known = new Map<Sha, readonly Verdict[]>();
  for (const tree of trees) {
    known.set(tree, await deps.store.verdicts(repo, tree, commandHash(config)));
  }
  return known;
}
