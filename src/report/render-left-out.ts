import type { TaskSpec } from "../domain/task.ts";
import { readMarkdown } from "../shared/markdown/read-markdown.ts";

/** What of an issue's text agents are not told, because its page does not show it; empty when that is nothing. */
export function renderLeftOut({ body }: Pick<TaskSpec, "body">): string {
  const { leftOut } = readMarkdown(body);
  if (leftOut.length === 0) return "";
  return `- Text that GitHub does not show was left out of what agents read: ${leftOut.join(", ")}`;
}
