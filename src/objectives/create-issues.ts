import type { Instant, RepoName } from "../domain/ids.ts";
import type { IssueWriter, MadeIssue } from "../ports/issue-writer.ts";
import type { IssueOrder } from "./issue-order.ts";

/** How far an order is. `announced`: the issue was about to be opened, and may have been. */
export type OrderProgress =
  | { readonly state: "announced" }
  | { readonly state: "made" | "related"; readonly issue: MadeIssue };

/** What is known of orders, and outlives this program where that matters. */
export interface Journal {
  read(alias: string): Promise<OrderProgress | undefined>;
  write(alias: string, progress: OrderProgress): Promise<void>;
}

export interface Creation {
  readonly repo: RepoName;
  readonly writer: IssueWriter;
  readonly journal: Journal;
  /** No issue of these orders is older. */
  readonly since: Instant | undefined;
  /** Steps in one go; the rest is left for the next. */
  readonly most: number;
  readonly tell?: (order: IssueOrder, issue: MadeIssue, what: "opened" | "found") => void;
}

/** Every order's issue by alias, with all relations; undefined when there is more to do. Safe to repeat after any end. */
export async function createIssues(
  orders: readonly IssueOrder[],
  creation: Creation,
): Promise<ReadonlyMap<string, MadeIssue> | undefined> {
  const fresh = new Set<string>();
  const made = new Map<string, MadeIssue>();
  let steps = 0;
  for (const order of orders) {
    const known = await creation.journal.read(order.alias);
    const isNew = known === undefined || known.state === "announced";
    if (isNew && (steps += 1) > creation.most) return undefined;
    made.set(order.alias, isNew ? await make(order, known, { ...creation, fresh }) : known.issue);
  }
  for (const order of orders) {
    const known = await creation.journal.read(order.alias);
    if (known?.state !== "made") continue;
    if ((steps += 1) > creation.most) return undefined;
    await relate(order, { ...creation, made, isFresh: fresh.has(order.alias) });
    await creation.journal.write(order.alias, { state: "related", issue: known.issue });
  }
  return made;
}

async function make(
  order: IssueOrder,
  known: OrderProgress | undefined,
  { repo, writer, journal, since, tell, fresh }: Creation & { readonly fresh: Set<string> },
): Promise<MadeIssue> {
  const { alias, title, body, labels } = order;
  const found = known && (await writer.findMade(repo, since)).get(alias);
  if (known === undefined) await journal.write(alias, { state: "announced" });
  const issue = found ?? (await writer.createIssue(repo, { title, body, labels }));
  await journal.write(alias, { state: "made", issue });
  if (found === undefined) fresh.add(alias);
  tell?.(order, issue, found === undefined ? "opened" : "found");
  return issue;
}

/** What an issue had before is looked at; one that was opened a moment ago has nothing yet. */
async function relate(
  { alias, parent, dependsOn }: IssueOrder,
  {
    repo,
    writer,
    made,
    isFresh,
  }: Creation & { readonly made: ReadonlyMap<string, MadeIssue>; readonly isFresh: boolean },
): Promise<void> {
  const issue = made.get(alias);
  if (issue === undefined) return;
  const above = typeof parent === "string" ? made.get(parent)?.number : parent;
  if (above !== undefined && above !== issue.parent) await writer.addSubIssue(repo, above, issue);
  const blockers = dependsOn.flatMap((other) => made.get(other) ?? []);
  const looksNeeded = blockers.length > 0 && !isFresh;
  const there = looksNeeded ? await writer.blockersOf(repo, issue.number) : [];
  for (const blocker of blockers.filter(({ number }) => !there.includes(number))) {
    await writer.addBlocker(repo, issue.number, blocker);
  }
}
