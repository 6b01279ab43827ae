import { GraphqlProblem } from "./graphql-problem.ts";

export interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

export interface Connection<T> {
  readonly nodes: readonly T[];
  readonly edges: readonly { readonly cursor: string; readonly node: T }[];
  readonly totalCount: number;
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** Is a list that can be cut into pages. `name` is the connection's; GitHub's words use it when the size is wrong. */
export interface Pageable<T> {
  readonly name: string;
  readonly all: readonly T[];
}

const LARGEST_PAGE = 100;

/** Cuts one page out of a list; a cursor is a position, as it is for GitHub's boards. */
export function connection<T>(list: Pageable<T>, page: PageArguments): Connection<T> {
  const hasSize = typeof (page.first ?? page.last) === "number";
  return hasSize ? pageOf(list, page) : onlyCount(list);
}

function pageOf<T>({ name, all }: Pageable<T>, page: PageArguments): Connection<T> {
  const size = pageSize(name, page);
  const start = page.after ? positionOf(page.after) + 1 : 0;
  const end = page.before ? positionOf(page.before) : all.length;
  const fromEnd = page.first === undefined || page.first === null;
  const from = fromEnd ? Math.max(start, end - size) : start;
  const to = fromEnd ? end : Math.min(end, start + size);
  const edges = all
    .slice(from, to)
    .map((node, index) => ({ cursor: cursorOf(from + index), node }));
  return {
    nodes: edges.map(({ node }) => node),
    edges,
    totalCount: all.length,
    pageInfo: {
      hasNextPage: to < all.length,
      hasPreviousPage: from > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** How many there are can be asked for without a size of the page; whoever asks for more is refused, as the error in its place says. */
function onlyCount<T>({ name, all }: Pageable<T>): Connection<T> {
  const problem = new GraphqlProblem(
    "MISSING_PAGINATION_BOUNDARIES",
    `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
  ) as never;
  return { totalCount: all.length, nodes: problem, edges: problem, pageInfo: problem };
}

function pageSize(name: string, { first, last }: PageArguments): number {
  const [argument, size] = typeof first === "number" ? ["first", first] : ["last", last ?? 0];
  if (size > LARGEST_PAGE) {
    throw new GraphqlProblem(
      "EXCESSIVE_PAGINATION",
      `Requesting ${size} records on the \`${name}\` connection exceeds the \`${argument}\` limit of ${LARGEST_PAGE} records.`,
    );
  }
  return size;
}

function cursorOf(position: number): string {
  return Buffer.from(`cursor:${position}`).toString("base64");
}

function positionOf(cursor: string): number {
  const [, position] = /^cursor:(\d+)$/.exec(Buffer.from(cursor, "base64").toString()) ?? [];
  if (position === undefined) {
    throw new GraphqlProblem(
      "INVALID_CURSOR_ARGUMENTS",
      `\`${cursor}\` does not appear to be a valid cursor.`,
    );
  }
  return Number(position);
}
