import { taskIdOf } from "../domain/ids.ts";
import type { Gesture } from "../domain/provenance.ts";
import type { ReadCard } from "../domain/read-card.ts";
import type { Task } from "../domain/task.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import { acceptedCard, isSameText } from "./accepted-text.ts";
import { judge } from "./judge.ts";
import { acceptedBy } from "./needs-proof.ts";

/** Says whether a command of somebody with the right to it accepts the issue as it is. */
export type ByCommand =
  | { readonly kind: "accepted"; readonly read: ReadCard }
  | { readonly kind: "changed"; readonly reason: string };

/** The command stands for the text as it was when it was given: edits after it, or in the same second, are not accepted. */
export async function vouchByCommand(
  context: RepoContext,
  said: { readonly read: ReadCard; readonly task: Task; readonly gesture: Gesture },
  deps: Pick<Deps, "github">,
): Promise<ByCommand> {
  const { read, task, gesture } = said;
  if (read.specHash === task.specHash)
    return { kind: "accepted", read: acceptedCard(read, gesture) };
  const asked = {
    accepted: acceptedBy(task),
    after: task.acceptedAt,
    command: gesture,
    sameText: isSameText(read, task),
  };
  const key = "command";
  const issue = taskIdOf(task.repo, task.issue);
  const decisions = await judge(context, [{ kind: "entering", key, issue, asked }], deps);
  const decision = decisions.get(key);
  if (decision?.kind === "trusted")
    return { kind: "accepted", read: acceptedCard(read, decision.gesture) };
  const reason = decision?.kind === "untrusted" ? decision.reason : "who changed it is not known";
  return { kind: "changed", reason };
}
