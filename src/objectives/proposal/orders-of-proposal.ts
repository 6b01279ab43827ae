import type { RepoConfig } from "../../config/schema/repo-config.ts";
import { inertLine } from "../../report/render/escape-markdown.ts";
import { cleanLine, cleanText } from "../../shared/clean-text.ts";
import { codeFence } from "../../shared/code-fence.ts";
import type { IssueOrder } from "./create-issues.ts";
import type { Proposal, ProposedTask } from "./proposal.ts";
import { renderTaskBody, renderWords } from "./render-task-body.ts";

export interface Objective {
  readonly issue: number;
  readonly config: Pick<RepoConfig, "labels" | "objectives">;
}

/** This task writes the decision down; no proposed task may have the same id. */
export const ADR_ID = "adr";

const MAX_BODY_LENGTH = 30_000;
const MAX_TITLE_LENGTH = 200;

const MAX_SLUG_LENGTH = 50;

/** Makes the orders for the issues of a proposal: the decision comes first, then the tasks. */
export function ordersOfProposal(proposal: Proposal, objective: Objective): readonly IssueOrder[] {
  return [
    adrOrder(proposal.adr, objective),
    ...proposal.tasks.map((task) => taskOrder(task, objective)),
  ];
}

export function taskOrder(task: ProposedTask, { issue, config }: Objective): IssueOrder {
  const { sizePrefix } = config.labels;
  const alias = aliasIn(issue, task.id);
  return {
    alias,
    title: inertLine(task.title, MAX_TITLE_LENGTH),
    body: renderTaskBody({
      alias,
      origin: originOf(issue),
      files: task.files,
      words: renderWords(task.body, MAX_BODY_LENGTH),
    }),
    labels: [...task.labels, ...(task.size === undefined ? [] : [`${sizePrefix}${task.size}`])],
    parent: issue,
    dependsOn: task.dependsOn.map((id) => aliasIn(issue, id)),
  };
}

function adrOrder(adr: Proposal["adr"], { issue, config }: Objective): IssueOrder {
  const { labels, objectives } = config;
  const place = { folder: objectives.adrFolder, issue };
  const alias = aliasIn(issue, ADR_ID);
  return {
    alias,
    title: inertLine(`Decision: ${adr.title}`, MAX_TITLE_LENGTH),
    body: renderTaskBody({
      alias,
      origin: originOf(issue),
      files: [adrPath(adr, place)],
      words: renderAdrTask(adr, place),
    }),
    labels: [labels.parallelSafe, `${labels.sizePrefix}s`],
    parent: issue,
    dependsOn: [],
  };
}

function aliasIn(issue: number, id: string): string {
  return `objective-${issue}.${id}`;
}

function originOf(issue: number): string {
  return `Part of #${issue}.`;
}

interface AdrPlace {
  readonly folder: string;
  /** It numbers the decision, so that two objectives never take the same number. */
  readonly issue: number;
}

/** Makes a path like `docs/adr/0012-one-cart-for-all.md`. */
function adrPath({ title }: Pick<Proposal["adr"], "title">, place: AdrPlace): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? ["decision"];
  const slug = words.join("-").slice(0, MAX_SLUG_LENGTH).replace(/-+$/, "");
  return `${place.folder}/${String(place.issue).padStart(4, "0")}-${slug}.md`;
}

/** Words the first task of an objective, which is to write the decision down. */
function renderAdrTask(adr: Proposal["adr"], place: AdrPlace): string {
  const request = `Put the decision on record: write \`${adrPath(adr, place)}\` with this text. Edit the text here first if the decision is another.`;
  return `${request}\n\n${codeFence(renderAdr(adr, place.issue))}`;
}

/** Renders the decision as a file of the repository. */
function renderAdr(adr: Proposal["adr"], issue: number): string {
  const section = (title: string, text: string): string => `## ${title}\n\n${cleanText(text)}`;
  return [
    `# ${cleanLine(adr.title, 120)}`,
    `Objective: #${issue}`,
    section("Context", adr.context),
    section("Decision", adr.decision),
    section("Consequences", adr.consequences),
  ].join("\n\n");
}
