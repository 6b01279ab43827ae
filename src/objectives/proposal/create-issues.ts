import type { Instant, RepoName } from "../../domain/ids.ts";
import type { IssueWriter, MadeIssue } from "../../ports/issue-writer.ts";

/** An order is for an issue that is to exist once, however often it is asked for. */
export interface IssueOrder {
  /** It names the issue for good, and stands as a hidden marker in its text. */
  readonly alias: string;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  /** This is the number of an issue that exists, or the alias of another order. */
  readonly parent: number | string | undefined;
  /** These are the aliases of the orders that block it. */
  readonly dependsOn: readonly string[];
}

/** Says how far an order is. If `announced`, the issue was about to be opened, and may have been. */
export type OrderProgress =
  | { readonly state: "announced" }
  | { readonly state: "made" | "related"; readonly issue: MadeIssue };

/** Remembers how far each order is; where that matters, it outlives this program. */
export interface Journal {
  read(alias: string): Promise<OrderProgress | undefined>;
  write(alias: string, progress: OrderProgress): Promise<void>;
}

export interface Creation {
  readonly repo: RepoName;
  readonly writer: IssueWriter;
  readonly journal: Journal;
  /** No issue of these orders is older than this. */
  readonly since: Instant | undefined;
  /** At most so many steps are done at once; the rest is left for the next call. */
  readonly most: number;
  readonly tell?: (order: IssueOrder, issue: MadeIssue, what: "opened" | "found") => void;
}

/** Returns every order's issue by alias, with all relations, or undefined when there is more to do. It is safe to repeat after any end. */
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

/** Looks at the relations that an issue has already, unless it was opened a moment ago: then it has none. */
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
