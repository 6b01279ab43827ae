import type { ReadCard } from "../board/decide-intake.ts";
import type { Deps, RepoContext } from "../deps.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { Gesture } from "../domain/provenance.ts";
import type { Task } from "../domain/task.ts";
import { acceptedCard, isSameText } from "./accepted-text.ts";
import { judge } from "./judge.ts";
import { acceptedBy } from "./needs-proof.ts";

/** What an issue says, as somebody with the right to it accepts it by a command. */
export type ByCommand =
  | { readonly kind: "accepted"; readonly read: ReadCard }
  | { readonly kind: "changed"; readonly reason: string };

/** The command stands for the text as it was when it was given: what came after it, or in the same second, is not accepted. */
export async function vouchByCommand(
  context: RepoContext,
  said: { readonly read: ReadCard; readonly task: Task; readonly gesture: Gesture },
  deps: Pick<Deps, "github">,
): Promise<ByCommand> {
  const { read, task, gesture } = said;
  if (read.specHash === task.specHash)
    return { kind: "accepted", read: acceptedCard(read, gesture) };
  const asked = {
    ...{ accepted: acceptedBy(task), after: task.acceptedAt, command: gesture },
    sameText: isSameText(read, task),
  };
  const key = "command";
  const issue = taskIdOf(task.repo, task.issue);
  const verdicts = await judge(context, [{ kind: "entering", key, issue, asked }], deps);
  const verdict = verdicts.get(key);
  if (verdict?.kind === "trusted")
    return { kind: "accepted", read: acceptedCard(read, verdict.gesture) };
  const reason = verdict?.kind === "untrusted" ? verdict.reason : "who changed it is not known";
  return { kind: "changed", reason };
}
