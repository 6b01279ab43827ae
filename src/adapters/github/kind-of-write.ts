import type { WriteKind } from "../../ports/api-budget.ts";

/** A request as octokit knows it before it is sent; the address may still be a template. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly query?: unknown;
  /** Of a check. */
  readonly conclusion?: unknown;
}

export type Api = "rest" | "graphql";

/** A request as the budget sees it. */
export interface Weighed {
  readonly api: Api;
  readonly kind: WriteKind | "read";
  /** Counts among what GitHub allows of content: what people get to read. */
  readonly content: boolean;
}

const REST_KINDS: readonly (readonly [RegExp, WriteKind])[] = [
  [/\/merge$|\/git\/refs\b|\/merges$/, "landing"],
  [/\/comments\b|\/reactions\b/, "comment"],
  [/\/pulls\b/, "pull-request"],
  [/\/check-runs\b|\/statuses\b/, "check"],
  [/\/labels\b/, "card"],
];

const GRAPHQL_KINDS: readonly (readonly [RegExp, WriteKind])[] = [
  [/\b(?:updateRefs?|enqueuePullRequest|mergePullRequest)\b/, "landing"],
  [/ProjectV2|\b(?:addLabelsTo|removeLabelsFrom)Labelable\b/, "card"],
  [/Comment\b/, "comment"],
];

/** Undefined for what only reads. GraphQL asks by POST as well; tokens are made by POST and count for nothing. */
export function kindOfWrite({ method, url, query }: Asked): WriteKind | undefined {
  if (method === "GET" || method === "HEAD" || isToken(url)) return undefined;
  if (apiOf(url) === "rest") return firstMatch(REST_KINDS, pathWithin(url));
  const document = typeof query === "string" ? query : "";
  return /^\s*mutation\b/.test(document) ? firstMatch(GRAPHQL_KINDS, document) : undefined;
}

/** Undefined for tokens: they are asked for as the app, and within the requests that need them. */
export function weigh(asked: Asked): Weighed | undefined {
  if (isToken(asked.url)) return undefined;
  const api = apiOf(asked.url);
  const kind = kindOfWrite(asked);
  if (kind === undefined) return { api, kind: "read", content: false };
  const content = isContent(kind) || asked.url.endsWith("/merge");
  // The verdict on a candidate is the first of the writes that land it: the others wait for it.
  return {
    api,
    kind: kind === "check" && asked.conclusion !== undefined ? "landing" : kind,
    content,
  };
}

/** A write of this kind as it usually is. */
export function usually(kind: WriteKind): Weighed {
  const api = kind === "landing" || kind === "card" ? "graphql" : "rest";
  return { api, kind, content: isContent(kind) };
}

/** GitHub has no list: whatever could be meant counts, but for moved refs, cards and labels. */
function isContent(kind: WriteKind): boolean {
  return kind !== "landing" && kind !== "card";
}

function isToken(url: string): boolean {
  return url.endsWith("/access_tokens");
}

function apiOf(url: string): Api {
  return url.endsWith("/graphql") ? "graphql" : "rest";
}

/** A repository may be called like one of the words. */
function pathWithin(url: string): string {
  return url.replace(/^.*\/repos\/[^/]+\/[^/]+/, "");
}

function firstMatch(kinds: readonly (readonly [RegExp, WriteKind])[], text: string): WriteKind {
  return kinds.find(([pattern]) => pattern.test(text))?.[1] ?? "issue";
}
