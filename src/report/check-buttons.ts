import type { CommandName } from "../domain/given-command.ts";
import type { CheckButton } from "../ports/github.ts";

interface Button extends CheckButton {
  /** What a press says. */
  readonly says: Extract<CommandName, "retry" | "plan" | "cancel">;
}

/** What stands on the check run of a pull request of ours. */
const KNOWN: readonly Button[] = [
  {
    ...{ identifier: "retry", says: "retry", label: "Retry" },
    description: "Another attempt at the task",
  },
  {
    ...{ identifier: "replan", says: "plan", label: "Re-plan" },
    description: "Show the present plan on the issue",
  },
  {
    ...{ identifier: "cancel", says: "cancel", label: "Cancel" },
    description: "Stop the task, leave this open",
  },
];

export const BUTTONS: readonly CheckButton[] = KNOWN.map(({ identifier, label, description }) => ({
  ...{ identifier, label, description },
}));

/** The command that pressing a button gives. */
export function saidByButton(identifier: string): Button["says"] | undefined {
  return KNOWN.find((button) => button.identifier === identifier)?.says;
}
