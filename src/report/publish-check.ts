import type { Deps, RepoContext } from "../deps.ts";
import type { Entry } from "../domain/entry.ts";
import type { Sha } from "../domain/ids.ts";
import type { Task } from "../domain/task.ts";
import { digest } from "../shared/digest.ts";
import { renderCheck } from "./render-check.ts";

const CHECK_NAME = "wavetrain";

export interface CheckSubject {
  readonly context: RepoContext;
  readonly task: Task;
  readonly head: Sha;
  readonly entry: Entry | undefined;
}

/** One check run per pull request head, written when its meaning changes. */
export async function publishCheck(subject: CheckSubject, deps: Deps): Promise<void> {
  const { context, task, head, entry } = subject;
  const key = `check:${context.repo}@${head}`;
  const report = {
    repo: context.repo,
    head,
    name: CHECK_NAME,
    ...renderCheck({ task, entry, base: context.base }),
  };
  const hash = digest(report);
  const known = await deps.store.publication(key);
  if (known?.digest === hash) return;
  if (known === undefined) {
    const remoteId = await deps.github.createCheck(report);
    await deps.store.savePublication({ key, remoteId, digest: hash });
    return;
  }
  await deps.github.updateCheck(known.remoteId, report);
  await deps.store.savePublication({ ...known, digest: hash });
}
