import type { RepoName } from "../domain/ids.ts";
import type { Log } from "../ports/log.ts";
import type { WakeUps } from "../ports/store.ts";

/** Another process on the same store may be the one that has to act; nobody waits for the word to arrive. */
export function wakeOthers(
  repo: RepoName | undefined,
  { wakeUps, log }: { readonly wakeUps: WakeUps; readonly log: Log },
): void {
  wakeUps.notify(repo).catch((err: unknown) => {
    log.warn({ repo, err }, "other processes not woken");
  });
}
