import { present } from "./parse-reading.ts";
import type { Connected, PullNode } from "./reading-nodes.ts";

/** Where in its two lists the next document goes on; a list at its end is left out. */
export interface Cursor {
  readonly after: string | null;
  readonly withItems: boolean;
  readonly pullsAfter: string | null;
  readonly withPulls: boolean;
}

interface Lists<Page, Item> {
  items(page: Page): Connected<Item> | undefined;
  pulls(page: Page): Connected<PullNode> | undefined;
}

interface Collected<Page, Item> {
  readonly first: Page;
  readonly items: readonly Item[];
  readonly pulls: readonly PullNode[];
}

/** Reads page after page until both lists are at their end. */
export async function collectPages<Page, Item>(
  read: (cursor: Cursor) => Promise<Page>,
  lists: Lists<Page, Item>,
  withPulls = true,
): Promise<Collected<Page, Item>> {
  const items: Item[] = [];
  const pulls: PullNode[] = [];
  const first = await read({ after: null, withItems: true, pullsAfter: null, withPulls });
  for (let page = first; ;) {
    const [ofItems, ofPulls] = [lists.items(page), lists.pulls(page)];
    items.push(...present(ofItems?.nodes));
    pulls.push(...present(ofPulls?.nodes));
    const cursor = nextCursor(ofItems, ofPulls);
    if (cursor === undefined) return { first, items, pulls };
    page = await read(cursor);
  }
}

function nextCursor(
  items: Connected<unknown> | undefined,
  pulls: Connected<unknown> | undefined,
): Cursor | undefined {
  const withItems = items?.pageInfo.hasNextPage === true;
  const withPulls = pulls?.pageInfo.hasNextPage === true;
  if (!withItems && !withPulls) return undefined;
  const after = items?.pageInfo.endCursor ?? null;
  return { after, withItems, pullsAfter: pulls?.pageInfo.endCursor ?? null, withPulls };
}
