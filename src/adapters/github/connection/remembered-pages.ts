import { httpFailureOf } from "./github-failure.ts";

interface Page<T> {
  readonly etag: string | undefined;
  readonly items: readonly T[];
  readonly hasNext: boolean;
}

interface Answered<T> {
  readonly items: readonly T[];
  readonly headers: { readonly etag?: string | undefined; readonly link?: string | undefined };
}

/** Asks for one page. GitHub answers 304, which does not count, if it is as the given version has it. */
export type AskForPage<T> = (where: {
  readonly page?: number;
  readonly headers: Readonly<Record<string, string>>;
}) => Promise<Answered<T>>;

/** Reads lists that seldom change: each page is asked for with the version that is known of it. */
export class RememberedPages<T> {
  readonly #pages = new Map<string, Page<T>>();

  async read(list: string, ask: AskForPage<T>): Promise<readonly T[]> {
    const items: T[] = [];
    for (let page = 1; ; page += 1) {
      const read = await this.#readPage(`${list} ${page}`, page, ask);
      items.push(...read.items);
      if (!read.hasNext) return items;
    }
  }

  async #readPage(key: string, page: number, ask: AskForPage<T>): Promise<Page<T>> {
    const known = this.#pages.get(key);
    const headers = known?.etag === undefined ? {} : { "if-none-match": known.etag };
    try {
      const { items, headers: told } = await ask({ ...(page > 1 && { page }), headers });
      const read = { items, etag: told.etag, hasNext: (told.link ?? "").includes('rel="next"') };
      this.#pages.set(key, read);
      return read;
    } catch (error) {
      if (known === undefined || httpFailureOf(error)?.status !== 304) throw error;
      return known;
    }
  }
}
