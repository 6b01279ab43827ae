import { isOpenEntry } from "../../domain/entry.ts";
import type { RepoName } from "../../domain/ids.ts";
import { takesSlot } from "../../domain/run.ts";
import type { RepoMemory } from "../../ports/store.ts";
import type { ControlSource, Route } from "../route.ts";
import type { RepoStatus, Status } from "../status.ts";

/** Tasks with their reasons, runs, the train and the runners, for each repository. */
export const getStatus: Route = {
  method: "GET",
  path: "status",
  answer: async (_, source) => ({ kind: "json", body: await readStatus(source) }),
};

async function readStatus(source: ControlSource): Promise<Status> {
  const { operator, store, clock } = source;
  const running = source.running();
  const repositories: RepoStatus[] = [];
  const gone = source.notices.about("access");
  for (const repo of [...source.watched(), ...gone].toSorted()) {
    repositories.push({
      notices: source.notices.of(repo),
      heldBack: source.heldBack(repo),
      ...repoStatus(repo, await store.readRepo(repo)),
    });
  }
  return {
    at: clock.now(),
    slots: operator.slots,
    notices: source.notices.ofServer(),
    host: operator.store.url === undefined ? undefined : source.hostName,
    runners: Object.entries(operator.runners).map(([name, { slots }]) => ({
      ...{ name, slots },
      running: running.filter((run) => run.runner === name && takesSlot(run)).length,
    })),
    budgets: source.budgets(),
    repositories,
  };
}

function repoStatus(
  repo: RepoName,
  { tasks, runs, entries }: RepoMemory,
): Omit<RepoStatus, "notices" | "heldBack"> {
  return {
    repo,
    tasks: tasks
      .toSorted((a, b) => a.issue - b.issue)
      .map(({ id, spec, state, reason, wave, attempts, pull, changedAt }) => ({
        ...{ id, title: spec.title, state, reason, wave, attempts, pull, changedAt },
      })),
    runs: runs
      .filter(({ state }) => state !== "finished")
      .map(({ id, task, runner, attempt, state, startedAt, logPath, host }) => ({
        ...{ id, task, runner, attempt, state, startedAt, logPath, host },
      })),
    entries: entries
      .filter(({ state }) => isOpenEntry(state))
      .map(({ id, task, pull, base, state, reason }) => ({ id, task, pull, base, state, reason })),
  };
}
