import type { Spent } from "../../domain/budget.ts";
import type { RepoName, TaskId } from "../../domain/ids.ts";
import { escapeMarkdown } from "../../report/render/escape-markdown.ts";
import { formatDuration } from "../../shared/format.ts";
import type { Part, PartState } from "./progress.ts";

const STATES: Readonly<Record<PartState, string>> = {
  backlog: "waits for a person",
  "at-work": "at work",
  landed: "landed",
  "given-up": "**given up**",
  dropped: "dropped",
};

const MINUTE_MS = 60_000;
const NOTHING: Spent = { tokens: 0, usd: 0, minutes: 0 };

/** Renders the sub-issues of an objective as a table. */
export function renderParts(parts: readonly Part[], repo: RepoName): string {
  const rows = parts.map((part) => {
    const { id, title, state, attempts } = part;
    const cells = [referenceTo(id, repo), escapeMarkdown(title, 120), STATES[state]];
    return row([...cells, attempts === 0 ? "" : String(attempts), costText(part.spent)]);
  });
  const head = row(["Task", "Title", "State", "Attempts", "Cost"]);
  return [head, "| --- | --- | --- | ---: | ---: |", ...rows].join("\n");
}

/** Renders what the objective took, task by task. */
export function renderSummary(
  parts: readonly Part[],
  { repo, tookMs }: { readonly repo: RepoName; readonly tookMs: number | undefined },
): string {
  const rows = parts.map(({ id, title, state, attempts, spent }) =>
    row([
      referenceTo(id, repo),
      escapeMarkdown(title, 120),
      STATES[state],
      String(attempts),
      timeText(spent),
      costText(spent),
    ]),
  );
  const total = parts.map(({ spent }) => spent).reduce(sum, NOTHING);
  const attempts = parts.reduce((count, part) => count + part.attempts, 0);
  const took =
    tookMs === undefined ? "" : `, ${formatDuration(tookMs)} from the label to the last landing`;
  return [
    `**Summary**: ${parts.length} tasks${took}.`,
    "",
    row(["Task", "Title", "State", "Attempts", "Time of runs", "Cost"]),
    "| --- | --- | --- | ---: | ---: | ---: |",
    ...rows,
    row(["**All**", "", "", String(attempts), timeText(total), costText(total)]),
  ].join("\n");
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function sum(a: Spent, b: Spent): Spent {
  return { tokens: a.tokens + b.tokens, usd: a.usd + b.usd, minutes: a.minutes + b.minutes };
}

/** Shows money if the runner tells it, otherwise tokens, otherwise nothing. */
function costText({ usd, tokens }: Spent): string {
  if (usd > 0) return `$${usd.toFixed(2)}`;
  return tokens > 0 ? `${(tokens / 1000).toFixed(1)}k tokens` : "";
}

function timeText({ minutes }: Spent): string {
  return minutes === 0 ? "" : formatDuration(minutes * MINUTE_MS);
}

/** Writes an issue of the repository as a link, and one of another repository with its name. */
function referenceTo(id: TaskId, repo: RepoName): string {
  return id.startsWith(`${repo}#`) ? id.slice(repo.length) : id;
}
