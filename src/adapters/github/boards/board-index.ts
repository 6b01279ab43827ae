import { graphqlErrorsOf } from "../connection/github-failure.ts";
import type { Portion } from "../connection/portion.ts";
import { changedCardsQuery, indexQuery } from "../reading/board-query.ts";
import type { IndexPage, ProjectOwner } from "../reading/board-query.ts";
import { wholeItems } from "../reading/long-lists.ts";
import type { Query } from "../reading/long-lists.ts";
import { present } from "../reading/parse-reading.ts";
import type {
  Connected,
  ContentStamp,
  IndexAnswer,
  ItemNode,
  PullNode,
  StampNode,
} from "../reading/reading-nodes.ts";
import { LARGEST_PAGE, nullIfHidden } from "./board-pages.ts";
import type { ProjectFacts } from "./board-pages.ts";

export interface IndexRequest {
  readonly owner: ProjectOwner;
  /** Finds the project in an answer, and throws if it is not there. */
  readonly factsOf: (answer: IndexAnswer) => ProjectFacts;
  /** They are the same for every page. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly withPulls: boolean;
  readonly portion: Portion;
}

/** It holds the stamps of all cards in the order of the board. */
export interface BoardIndex {
  readonly project: ProjectFacts;
  readonly stamps: readonly StampNode[];
  readonly pages: readonly IndexPage[];
  readonly pulls: Connected<PullNode> | undefined;
}

interface Together {
  readonly asked: readonly IndexPage[];
  readonly answer: IndexAnswer;
}

/**
 * Reads the stamps of all cards. `known` are the pages of the last reading: where they still follow each other, they are asked for
 * together.
 */
export async function readIndex(
  query: Query,
  known: readonly IndexPage[],
  request: IndexRequest,
): Promise<BoardIndex> {
  const first = await askNext(query, known, { ...request, after: null });
  const stamps = new Map<string, StampNode>();
  const pages: IndexPage[] = [];
  for (let together = first; ;) {
    // A project that was closed or hidden meanwhile must not look as if it ended here.
    const project = request.factsOf(together.answer);
    const read = pagesInOrder(together);
    for (const stamp of read.stamps) stamps.set(stamp.id, stamp);
    pages.push(...read.pages);
    const { after } = read;
    if (after === undefined) {
      const pulls = first.answer.repository?.pullRequests;
      return { project, stamps: [...stamps.values()], pages, pulls };
    }
    together = await askNext(query, known, { ...request, after, withPulls: false });
  }
}

/** Asks for the page after the cursor, together with those that followed it when the board was last read. */
function askNext(
  query: Query,
  known: readonly IndexPage[],
  request: IndexRequest & Pick<IndexPage, "after">,
): Promise<Together> {
  const { after } = request;
  const at = known.findIndex((page) => page.after === after);
  const next = at < 0 ? [{ after, size: LARGEST_PAGE }] : known.slice(at);
  return request.portion.ask((size) => askTogether(query, within(next, size), request));
}

/**
 * Where cards came or went, a page does not begin where the one before it ended: it would leave cards out or show them twice. It and
 * those after it are left for the next question, which begins at `after`.
 */
function pagesInOrder({ asked, answer }: Together): {
  readonly stamps: readonly StampNode[];
  readonly pages: readonly IndexPage[];
  readonly after: string | undefined;
} {
  const stamps: StampNode[] = [];
  const pages: IndexPage[] = [];
  let after = asked[0]?.after;
  for (const [at, page] of asked.entries()) {
    const list = answer.account?.projectV2?.[`page${at}`];
    if (list === undefined || page.after !== after) break;
    const { hasNextPage, endCursor } = list.pageInfo;
    stamps.push(...present(list.nodes));
    pages.push({ after: page.after, size: hasNextPage ? page.size : LARGEST_PAGE });
    if (!hasNextPage) return { stamps, pages, after: undefined };
    after = endCursor;
  }
  return { stamps, pages, after: after ?? undefined };
}

/** Reads the cards by their ids. Those that are gone are absent from the answer. */
export async function readCards(
  query: Query,
  ids: readonly string[],
  { field, portion }: { readonly field: string; readonly portion: Portion },
): Promise<ReadonlyMap<string, ItemNode>> {
  const read = await portion.askAll(ids, (part) => askCards(query, part, field));
  const items = await wholeItems(query, read.flat());
  return new Map(items.map((item) => [item.id, item]));
}

interface CardsAnswer {
  readonly nodes: readonly (ItemNode | null)[];
}

/** GitHub reports a card that is gone as an error beside the others. If it tells nothing of the others, they are asked for in halves. */
async function askCards(
  query: Query,
  ids: readonly string[],
  field: string,
): Promise<readonly ItemNode[]> {
  try {
    const { nodes } = await query<CardsAnswer>(changedCardsQuery(), { ids, field });
    return present(nodes);
  } catch (error) {
    const errors = graphqlErrorsOf(error);
    const isGone = errors?.every(({ type, path }) => type === "NOT_FOUND" && path[0] === "nodes");
    if (isGone !== true) throw error;
    const { data } = error as { readonly data?: Partial<CardsAnswer> | null };
    if (data?.nodes) return present(data.nodes);
    if (ids.length === 1) return [];
    const half = Math.ceil(ids.length / 2);
    const first = await askCards(query, ids.slice(0, half), field);
    return [...first, ...(await askCards(query, ids.slice(half), field))];
  }
}

/** Two stamps of a card are equal if nothing of it changed that an index shows. */
export function stampOf({ updatedAt, isArchived, status, content }: StampNode): string {
  const column = [status?.name, status?.updatedAt];
  const { __typename, parent } = content ?? {};
  return JSON.stringify([
    [updatedAt, isArchived, column, __typename],
    contentStamp(content),
    contentStamp(parent),
  ]);
}

function contentStamp(content: ContentStamp | null | undefined): readonly unknown[] {
  const blockers = content?.issueDependenciesSummary;
  return [content?.updatedAt, blockers?.blockedBy, blockers?.totalBlockedBy];
}

/** Takes as many pages as fit into one portion. */
function within(pages: readonly IndexPage[], size: number): readonly IndexPage[] {
  const [first, ...others] = pages;
  if (first === undefined) return [];
  const taken = [{ ...first, size: Math.min(first.size, size) }];
  if (first.size > size) return taken;
  let sum = first.size;
  for (const page of others) {
    sum += page.size;
    if (sum > size) break;
    taken.push(page);
  }
  return taken;
}

async function askTogether(
  query: Query,
  pages: readonly IndexPage[],
  { owner, variables, withPulls }: IndexRequest,
): Promise<Together> {
  const places: Record<string, unknown> = {};
  for (const [at, { after, size }] of pages.entries()) {
    places[`after${at}`] = after;
    places[`size${at}`] = size;
  }
  const document = indexQuery(owner, pages.length);
  const all = { ...variables, ...places, withPulls, pullsAfter: null };
  return { asked: pages, answer: await nullIfHidden(query<IndexAnswer>(document, all)) };
}
