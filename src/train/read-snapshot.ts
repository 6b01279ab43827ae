import type { Deps, RepoContext } from "../deps.ts";
import type { RepoReading } from "../domain/board.ts";
import { isOpenEntry } from "../domain/entry.ts";
import type { Entry } from "../domain/entry.ts";
import type { Instant, Sha } from "../domain/ids.ts";
import { trainIdOf } from "../domain/train.ts";
import type { Verdict } from "../domain/verdict.ts";
import { knownVerdict } from "../domain/verdict.ts";
import { commandHash } from "./command-hash.ts";
import { trainPolicy } from "./policy.ts";
import { retryPolicy } from "./retry-policy.ts";
import type { BaseTip, TrainSnapshot } from "./snapshot.ts";

/** `since`: the base as it was at that moment or later will do. */
export async function readSnapshot(
  context: RepoContext,
  { reading, since }: { readonly reading: RepoReading; readonly since: Instant | undefined },
  deps: Deps,
): Promise<TrainSnapshot> {
  const { repo, base, config } = context;
  const { tasks, entries, runs, intents, trains } = await deps.store.readRepo(repo);
  const train = trains.find(({ id }) => id === trainIdOf(repo, base));
  const open = entries.filter((entry) => isOpenEntry(entry.state));
  const counting = { since, redsFrom: train?.redsFrom ?? 0 };
  return {
    ...{ repo, base, now: deps.clock.now(), reading },
    ...{ tasks, entries, runs, intents, train, trains },
    pause: await deps.store.pauseOf(repo),
    policy: trainPolicy(config, await deps.github.branchRules(repo, base)),
    tip: open.length === 0 ? undefined : await readTip(context, counting, deps),
    verdicts: await readVerdicts(context, open, deps),
    retry: retryPolicy(context, deps),
    landDelayMs: (await deps.github.nextWriteAt(repo, "landing")) - deps.clock.now(),
    jitter: deps.host.random(),
  };
}

async function readTip(
  { repo, base, config }: RepoContext,
  { since, redsFrom }: { readonly since: Instant | undefined; readonly redsFrom: number },
  deps: Deps,
): Promise<BaseTip> {
  const commit = await deps.git.fetchBranch(repo, base, since);
  const tree = await deps.git.treeOf(repo, commit);
  const verdicts = await deps.store.verdicts(repo, tree, commandHash(config));
  const counted = verdicts.filter(({ verdict, at }) => verdict === "green" || at >= redsFrom);
  return { commit, tree, verdict: knownVerdict(counted) };
}

async function readVerdicts(
  { repo, config }: RepoContext,
  open: readonly Entry[],
  deps: Deps,
): Promise<ReadonlyMap<Sha, readonly Verdict[]>> {
  const trees = new Set(open.flatMap(({ candidate }) => candidate?.tree ?? []));
  const known = new Map<Sha, readonly Verdict[]>();
  for (const tree of trees) {
    known.set(tree, await deps.store.verdicts(repo, tree, commandHash(config)));
  }
  return known;
}
