import type { WriteKind } from "../../../ports/api-budget.ts";

/** It describes a request as octokit knows it before it is sent. The address may still be a template. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly query?: unknown;
  /** Only a check has one. */
  readonly conclusion?: unknown;
}

export type Api = "rest" | "graphql";

/** It describes a request as the budget counts it. */
export interface Weighed {
  readonly api: Api;
  readonly kind: WriteKind | "read";
  /** It says whether GitHub counts the request among those that create content for people to read. */
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

/** Returns undefined for a request that only reads, although GraphQL queries are POSTs, and for a token, which counts for nothing. */
export function kindOfWrite({ method, url, query }: Asked): WriteKind | undefined {
  if (method === "GET" || method === "HEAD" || isToken(url)) return undefined;
  if (apiOf(url) === "rest") return firstMatch(REST_KINDS, pathWithin(url));
  const document = typeof query === "string" ? query : "";
  return /^\s*mutation\b/.test(document) ? firstMatch(GRAPHQL_KINDS, document) : undefined;
}

/** Returns undefined for a request for a token: it is made as the app, and within the request that needs the token. */
export function weigh(asked: Asked): Weighed | undefined {
  if (isToken(asked.url)) return undefined;
  const api = apiOf(asked.url);
  const kind = kindOfWrite(asked);
  if (kind === undefined) return { api, kind: "read", content: false };
  const content = isContent(kind) || asked.url.endsWith("/merge");
  // A check with a conclusion is the verdict on a candidate. It is the first of the writes that land it, and the others wait for it.
  return {
    api,
    kind: kind === "check" && asked.conclusion !== undefined ? "landing" : kind,
    content,
  };
}

/** Describes a typical write of this kind. */
export function usually(kind: WriteKind): Weighed {
  const api = kind === "landing" || kind === "card" ? "graphql" : "rest";
  return { api, kind, content: isContent(kind) };
}

/** GitHub does not list what it counts as content. Everything that it could mean counts here: all but moved refs, cards and labels. */
function isContent(kind: WriteKind): boolean {
  return kind !== "landing" && kind !== "card";
}

function isToken(url: string): boolean {
  return url.endsWith("/access_tokens");
}

function apiOf(url: string): Api {
  return url.endsWith("/graphql") ? "graphql" : "rest";
}

/** Cuts off the repository's name, because it may contain one of the words that tell the kind. */
function pathWithin(url: string): string {
  return url.replace(/^.*\/repos\/[^/]+\/[^/]+/, "");
}

function firstMatch(kinds: readonly (readonly [RegExp, WriteKind])[], text: string): WriteKind {
  return kinds.find(([pattern]) => pattern.test(text))?.[1] ?? "issue";
}
