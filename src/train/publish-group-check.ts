import type { Deps } from "../deps.ts";
import { knownVerdict } from "../domain/verdict.ts";
import { CHECK_NAME } from "../report/render-check.ts";
import { commandHash } from "./command-hash.ts";
import type { Verifying } from "./verifying.ts";

/** Answers the merge queue's question, once for each group. */
export async function publishGroupCheck(
  { context, commit, tree }: Verifying,
  deps: Deps,
): Promise<void> {
  const { repo, config } = context;
  const verdicts = await deps.store.verdicts(repo, tree, commandHash(config));
  const verdict = knownVerdict(verdicts);
  if (verdict === "unknown") return;
  const key = `group:${repo}@${commit}`;
  if ((await deps.store.publication(key)) !== undefined) return;
  const green = verdict === "green";
  const remoteId = await deps.github.createCheck({
    ...{ repo, head: commit, name: CHECK_NAME },
    status: green ? "success" : "failure",
    title: green ? "Verified" : "Fails the verify command",
    summary: green ? "Exactly this tree was verified." : (verdicts.at(-1)?.tail ?? ""),
  });
  await deps.store.savePublication({ key, remoteId, digest: verdict });
}
