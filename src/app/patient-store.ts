import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Store } from "../ports/store.ts";
import { AppError } from "../shared/app-error.ts";
import { backoffMs } from "../shared/backoff.ts";
import { sleep } from "../shared/sleep.ts";

const PAUSES = { firstMs: 250, longestMs: 5_000 };
/** This is longer than any restart of a database takes: the work of an agent is worth the wait. */
const LONGEST_WAIT_MS = 30 * 60_000;

interface Surroundings {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The store for work that must not be lost because the database is away for a while: what failed and may work later is done again
 * until it does. Anything else is thrown as it is.
 */
export function patientStore<S extends Store>(store: S, surroundings: Surroundings): S {
  const until = <T>(work: (isRepeated: boolean) => Promise<T>) => patiently(surroundings, work);
  return {
    ...store,
    readRepo: (repo) => until(() => store.readRepo(repo)),
    tasks: (ids) => until(() => store.tasks(ids)),
    runsOf: (tasks) => until(() => store.runsOf(tasks)),
    publication: (key) => until(() => store.publication(key)),
    savePublication: (saved) => until(() => store.savePublication(saved)),
    record: (repo, changes, proof) =>
      until(async (isRepeated) => {
        try {
          // A run that could not say that it lives would be refused, though nobody else has taken it.
          if (isRepeated && proof?.kind === "run")
            await store.heartbeat(proof.run, surroundings.clock.now());
          await store.record(repo, changes, proof);
        } catch (error) {
          // The answer to the first try may have been lost, not the try.
          const isThere = isRepeated && isRefusal(error) && (await store.isRecorded(repo, changes));
          if (!isThere) throw error;
        }
      }),
  };
}

async function patiently<T>(
  { clock, log }: Surroundings,
  work: (isRepeated: boolean) => Promise<T>,
): Promise<T> {
  const since = clock.now();
  for (let tries = 0; ; tries += 1) {
    try {
      const result = await work(tries > 0);
      if (tries > 0) log.info({ tries }, "the store is back");
      return result;
    } catch (err) {
      const isAway = err instanceof AppError && err.code === "store-unusable" && err.retryable;
      if (!isAway || clock.now() - since > LONGEST_WAIT_MS) throw err;
      if (tries === 0) log.warn({ err }, "waits for the store");
      await sleep(backoffMs(tries + 1, PAUSES), clock);
    }
  }
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof AppError && (error.code === "store-conflict" || error.code === "store-fenced")
  );
}
