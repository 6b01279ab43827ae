import type { Deps } from "../deps.ts";
import type { Change } from "../domain/change.ts";
import type { RepoName } from "../domain/ids.ts";
import { newTrain, trainIdOf } from "../domain/train.ts";
import type { Train } from "../domain/train.ts";

interface TrainOf {
  readonly repo: RepoName;
  readonly base: string;
}

/** Nothing lands from now on; what is being verified goes on. */
export async function pauseTrain(
  of: TrainOf,
  { by, reason }: { readonly by: string; readonly reason: string },
  deps: Deps,
): Promise<void> {
  await changeTrain(of, deps, (train) => ({
    ...{ kind: "train-moved", train: train.id, from: train.state, to: "paused", reason },
    ...{ at: deps.clock.now(), set: { by } },
  }));
}

/** Ends a pause or a halt, whatever its cause: who resumes has looked. A red base is verified anew. */
export async function resumeTrain(of: TrainOf, by: string, deps: Deps): Promise<void> {
  await changeTrain(of, deps, (train) => ({
    ...{ kind: "train-moved", train: train.id, from: train.state, to: "running" },
    ...{ reason: `resumed by ${by}`, at: deps.clock.now() },
    set: { by: null, cause: null, haltedAt: null, redsFrom: deps.clock.now() },
  }));
}

async function changeTrain(
  { repo, base }: TrainOf,
  deps: Deps,
  move: (train: Train) => Change,
): Promise<void> {
  const { trains } = await deps.store.readRepo(repo);
  const known = trains.find(({ id }) => id === trainIdOf(repo, base));
  const train = known ?? newTrain(repo, base, deps.clock.now());
  const added: readonly Change[] = known === undefined ? [{ kind: "train-added", train }] : [];
  await deps.store.record(repo, [...added, move(train)]);
  deps.wake(repo, "we-changed");
}
