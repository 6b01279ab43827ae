import type { RepoConfig } from "../config/schema.ts";
import { inertLine } from "../report/escape-markdown.ts";
import type { IssueOrder } from "./issue-order.ts";
import type { Proposal, ProposedTask } from "./proposal.ts";
import { adrPath, renderAdrTask } from "./render-adr.ts";
import { renderTaskBody } from "./render-task-body.ts";
import { renderWords } from "./render-words.ts";

/** The task that writes the decision down; no proposed one may be called so. */
export const ADR_ID = "adr";

const BODY_LENGTH = 30_000;
const TITLE_LENGTH = 200;

export interface Objective {
  readonly issue: number;
  readonly config: Pick<RepoConfig, "labels" | "objectives">;
}

/** The issues that a proposal stands for: the decision first, then the tasks. */
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
    title: inertLine(task.title, TITLE_LENGTH),
    body: renderTaskBody({
      ...{ alias, origin: originOf(issue), files: task.files },
      words: renderWords(task.body, BODY_LENGTH),
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
    title: inertLine(`Decision: ${adr.title}`, TITLE_LENGTH),
    body: renderTaskBody({
      ...{ alias, origin: originOf(issue), files: [adrPath(adr, place)] },
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
