import { Portion } from "../connection/portion.ts";
import { present } from "./parse-reading.ts";
import type {
  BlockerNode,
  Connected,
  IssueNode,
  ItemNode,
  PullNode,
  ReviewNode,
  ShortList,
} from "./reading-nodes.ts";
import {
  BLOCKER,
  BLOCKER_FIELDS,
  REVIEW_FIELDS,
  REVIEWS,
  SUB_ISSUE_FIELDS,
} from "./reading-query.ts";

export type Query = <T>(document: string, variables: Record<string, unknown>) => Promise<T>;

/** A query asks for the beginning of these lists only, because few are longer and every answer has hundreds of them. */
const LISTS = {
  labels: { of: "Issue", list: "labels", wanted: "", fields: "name" },
  blockedBy: { of: "Issue", list: "blockedBy", wanted: "", fields: BLOCKER_FIELDS },
  subIssues: { of: "Issue", list: "subIssues", wanted: "", fields: SUB_ISSUE_FIELDS },
  reviews: {
    of: "PullRequest",
    list: REVIEWS,
    wanted: "writersOnly: true, ",
    fields: REVIEW_FIELDS,
  },
} as const;

type Kind = keyof typeof LISTS;

/** The list of this node goes on after the cursor. */
interface LongList {
  readonly id: string;
  readonly kind: Kind;
  readonly after: string | null;
}

type Rest = ReadonlyMap<string, readonly unknown[]>;

/** By GitHub's formula so many lists cost a point. */
const LISTS_PER_QUERY = 100;

/** Reads the lists of issues to their ends. Most issues have no long list, and then nothing is asked. */
export async function wholeIssues<T extends IssueNode>(
  query: Query,
  issues: readonly T[],
): Promise<readonly T[]> {
  const rest = await readRest(query, issues.flatMap(listsOfIssue));
  return rest.size === 0 ? issues : issues.map((issue) => joinIssue(issue, rest));
}

/** Does the same for the issues of a board's cards. */
export async function wholeItems(
  query: Query,
  items: readonly ItemNode[],
): Promise<readonly ItemNode[]> {
  const rest = await readRest(
    query,
    items.flatMap(({ content }) => listsOfIssue(content ?? {})),
  );
  if (rest.size === 0) return items;
  return items.map((item) => ({
    ...item,
    content: item.content === null ? null : joinIssue(item.content, rest),
  }));
}

/** Does the same for the reviews of pull requests: one that is left out could be the one that asks for changes. */
export async function wholePulls<T extends PullNode>(
  query: Query,
  pulls: readonly T[],
): Promise<readonly T[]> {
  const lists = pulls.flatMap((pull) => longList(pull.id, "reviews", pull[REVIEWS]));
  const rest = await readRest(query, lists);
  if (rest.size === 0) return pulls;
  return pulls.map((pull) => ({
    ...pull,
    [REVIEWS]: join<ReviewNode>(pull[REVIEWS], restOf(rest, pull.id, "reviews")),
  }));
}

/** Reads the sub-issues of each parent to their end. The answer has an entry for each parent that has more than were given. */
export async function restOfSubIssues<T>(
  query: Query,
  parents: readonly { readonly id: string; readonly subIssues: ShortList<T> }[],
): Promise<(id: string) => readonly T[]> {
  const lists = parents.flatMap(({ id, subIssues }) => longList(id, "subIssues", subIssues));
  const rest = await readRest(query, lists);
  return (id) => restOf(rest, id, "subIssues") as readonly T[];
}

function listsOfIssue({ id = "", labels, blockedBy, parent }: Partial<IssueNode>) {
  const own = [...longList(id, "labels", labels), ...longList(id, "blockedBy", blockedBy)];
  if (parent === null || parent === undefined) return own;
  const { id: of = "" } = parent;
  return [
    ...own,
    ...longList(of, "labels", parent.labels),
    ...longList(of, "blockedBy", parent.blockedBy),
  ];
}

function longList(
  id: string,
  kind: Kind,
  list: ShortList<unknown> | null | undefined,
): readonly LongList[] {
  const { hasNextPage = false, endCursor = null } = list?.pageInfo ?? {};
  return hasNextPage ? [{ id, kind, after: endCursor }] : [];
}

function joinIssue<T extends Partial<IssueNode>>(issue: T, rest: Rest): T {
  const joined = joinLists(issue, rest);
  return issue.parent === null || issue.parent === undefined
    ? joined
    : { ...joined, parent: joinLists(issue.parent, rest) };
}

function joinLists<T extends Partial<Pick<IssueNode, "id" | "labels" | "blockedBy">>>(
  node: T,
  rest: Rest,
): T {
  const { id = "", labels, blockedBy } = node;
  return {
    ...node,
    ...(labels && { labels: join(labels, restOf(rest, id, "labels")) }),
    ...(blockedBy && { blockedBy: join<BlockerNode>(blockedBy, restOf(rest, id, "blockedBy")) }),
  };
}

function join<T>(list: ShortList<T> | null, more: readonly unknown[]): ShortList<T> {
  return { nodes: [...present(list?.nodes), ...(more as readonly T[])] };
}

function restOf(rest: Rest, id: string, kind: Kind): readonly unknown[] {
  return rest.get(`${kind} ${id}`) ?? [];
}

/** Reads on until every list is at its end. A list may be named more than once: a parent comes with each of its sub-issues. */
async function readRest(query: Query, lists: readonly LongList[]): Promise<Rest> {
  const rest = new Map<string, readonly unknown[]>();
  const portion = new Portion(LISTS_PER_QUERY, () => 0);
  let open = [...new Map(lists.map((list) => [`${list.kind} ${list.id}`, list])).values()];
  while (open.length > 0) {
    const pages = (await portion.askAll(open, (part) => askPages(query, part))).flat();
    for (const { list, page } of pages) {
      const key = `${list.kind} ${list.id}`;
      rest.set(key, [...(rest.get(key) ?? []), ...present(page.nodes)]);
    }
    open = pages.flatMap(({ list: { id, kind }, page }) => longList(id, kind, page));
  }
  return rest;
}

async function askPages(query: Query, lists: readonly LongList[]) {
  const variables: Record<string, unknown> = {};
  const declared: string[] = [];
  const fields = lists.map(({ id, kind, after }, at) => {
    const { of, list, wanted, fields: selection } = LISTS[kind];
    Object.assign(variables, { [`id${at}`]: id, [`after${at}`]: after });
    declared.push(`$id${at}: ID!`, `$after${at}: String`);
    const page = `list: ${list}(${wanted}first: 100, after: $after${at}) { pageInfo { hasNextPage endCursor } nodes { ${selection} } }`;
    return `node${at}: node(id: $id${at}) { ... on ${of} { ${page} } }`;
  });
  const blockers = lists.some(({ kind }) => kind === "blockedBy") ? BLOCKER : "";
  const document = `query RestOfLists(${declared.join(", ")}) {\n  ${fields.join("\n  ")}\n}\n${blockers}`;
  const answer = await query<Readonly<Record<string, RestNode>>>(document, variables);
  return lists.map((list, at) => ({ list, page: answer[`node${at}`]?.list ?? GONE }));
}

type RestNode = { readonly list?: Connected<unknown> } | null;

const GONE: Connected<unknown> = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };
