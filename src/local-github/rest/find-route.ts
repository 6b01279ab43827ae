import { APP_ROUTES } from "./app-routes.ts";
import { CHECK_ROUTES } from "./check-routes.ts";
import { COMMENT_ROUTES } from "./comment-routes.ts";
import { DELIVERY_ROUTES } from "./delivery-routes.ts";
import { HOOK_ROUTES } from "./hook-routes.ts";
import { ISSUE_ROUTES } from "./issue-routes.ts";
import { LABEL_ROUTES } from "./label-routes.ts";
import { MANIFEST_ROUTES } from "./manifest-routes.ts";
import { PROJECT_ROUTES } from "./project-routes.ts";
import { PULL_ROUTES } from "./pull-routes.ts";
import { RATE_LIMIT_ROUTES } from "./rate-limit-routes.ts";
import { REF_ROUTES } from "./ref-routes.ts";
import { RELATION_ROUTES } from "./relation-routes.ts";
import { REPOSITORY_ROUTES } from "./repository-routes.ts";
import { REVIEW_ROUTES } from "./review-routes.ts";
import type { Route } from "./route.ts";

/** Everything that the REST API here can do. */
export const ROUTES: readonly Route[] = [
  ...APP_ROUTES,
  ...DELIVERY_ROUTES,
  ...HOOK_ROUTES,
  ...MANIFEST_ROUTES,
  ...RATE_LIMIT_ROUTES,
  ...PROJECT_ROUTES,
  ...CHECK_ROUTES,
  ...COMMENT_ROUTES,
  ...LABEL_ROUTES,
  ...RELATION_ROUTES,
  ...ISSUE_ROUTES,
  ...REVIEW_ROUTES,
  ...PULL_ROUTES,
  ...REF_ROUTES,
  ...REPOSITORY_ROUTES,
];

export interface FoundRoute {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

const PATTERNS = ROUTES.map((route) => ({ route, pattern: patternOf(route.template) }));

/** Names with slashes in them are the last part of the routes that take them, or come encoded. */
function patternOf(template: string): RegExp {
  const source = template
    .replace(/\{(path|ref|branch)\}$/, "(?<$1>.+)")
    .replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  return new RegExp(`^${source}$`);
}

export function findRoute(method: string, path: string): FoundRoute | undefined {
  for (const { route, pattern } of PATTERNS) {
    if (route.method !== method) continue;
    const match = pattern.exec(path);
    if (match === null) continue;
    const params = Object.entries(match.groups ?? {}).map(
      ([name, value]) => [name, decodeURIComponent(value)] as const,
    );
    return { route, params: Object.fromEntries(params) };
  }
  return undefined;
}
