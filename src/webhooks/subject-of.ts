import * as z from "zod";
import { parseCommand } from "../commands/parse-command.ts";
import type { Delivery } from "../domain/delivery.ts";
import type { SignalSubject } from "../domain/signal.ts";

const comment = z.object({ id: z.int(), body: z.string() });
const press = z.object({
  check_run: z.object({ head_sha: z.string() }),
  requested_action: z.object({ identifier: z.string() }),
});

/** Where a person gave a command. Most comments are none and cost nothing: a tick reads only those that look like one. */
export function subjectOf({ name, payload }: Delivery): SignalSubject | undefined {
  if (name === "issue_comment" && payload.action === "created") {
    const said = comment.safeParse(payload.comment);
    if (!said.success || parseCommand(said.data.body) === undefined) return undefined;
    return { kind: "comment", comment: String(said.data.id) };
  }
  if (name === "check_run" && payload.action === "requested_action") {
    const pressed = press.safeParse(payload);
    if (!pressed.success) return undefined;
    const { check_run: check, requested_action: action } = pressed.data;
    return { kind: "button", head: check.head_sha, button: action.identifier };
  }
  return undefined;
}
