import type { Answer, RestCall } from "./route.ts";

const DEFAULT_SIZE = 30;
const MAX_SIZE = 100;

/** Cuts one page out of a list, with the `Link` header that leads to the others. */
export function page<T>(
  call: RestCall,
  all: readonly T[],
  view: (item: T) => unknown,
): { readonly items: readonly unknown[]; readonly headers: Readonly<Record<string, string>> } {
  const size = Math.min(MAX_SIZE, numberIn(call.url, "per_page", DEFAULT_SIZE));
  const number = numberIn(call.url, "page", 1);
  const last = Math.max(1, Math.ceil(all.length / size));
  const items = all.slice((number - 1) * size, number * size).map(view);
  const links = [
    ...(number > 1 ? [link(call, "prev", number - 1), link(call, "first", 1)] : []),
    ...(number < last ? [link(call, "next", number + 1), link(call, "last", last)] : []),
  ];
  return { items, headers: links.length === 0 ? {} : { link: links.join(", ") } };
}

export function listAnswer<T>(
  call: RestCall,
  all: readonly T[],
  view: (item: T) => unknown,
): Answer {
  const { items, headers } = page(call, all, view);
  return { status: 200, body: items, headers };
}

function numberIn(url: URL, name: string, otherwise: number): number {
  const value = Number(url.searchParams.get(name));
  return Number.isInteger(value) && value > 0 ? value : otherwise;
}

function link(call: RestCall, rel: string, number: number): string {
  const url = new URL(call.url);
  url.searchParams.set("page", String(number));
  return `<${url.href}>; rel="${rel}"`;
}
