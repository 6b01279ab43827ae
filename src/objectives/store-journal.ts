import type { RepoName } from "../domain/ids.ts";
import type { MadeIssue } from "../ports/issue-writer.ts";
import type { Store } from "../ports/store.ts";
import type { Journal } from "./create-issues.ts";

/** Orders of the app, remembered like everything else that it wrote for people. */
export function storeJournal(
  repo: RepoName,
  store: Pick<Store, "publication" | "savePublication">,
): Journal {
  const keyOf = (alias: string): string => `issue:${repo}:${alias}`;
  return {
    async read(alias) {
      const known = await store.publication(keyOf(alias));
      if (known === undefined) return undefined;
      if (known.digest === "announced") return { state: "announced" };
      const state = known.digest === "related" ? "related" : "made";
      return { state, issue: JSON.parse(known.remoteId) as MadeIssue };
    },
    write: (alias, progress) =>
      store.savePublication({
        key: keyOf(alias),
        remoteId: progress.state === "announced" ? "" : JSON.stringify(progress.issue),
        digest: progress.state,
      }),
  };
}
