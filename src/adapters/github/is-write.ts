interface Asked {
  readonly method: string;
  readonly url: string;
  readonly query?: unknown;
}

/** GraphQL asks by POST as well; tokens are made by POST and count for nothing. */
export function isWrite({ method, url, query }: Asked): boolean {
  if (method === "GET" || method === "HEAD" || url.endsWith("/access_tokens")) return false;
  if (!url.endsWith("/graphql")) return true;
  return typeof query === "string" && /^\s*mutation\b/.test(query);
}
