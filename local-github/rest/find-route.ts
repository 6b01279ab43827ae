import type { Route } from "./request/route.ts";
import { APP_ROUTES } from "./routes/app-routes.ts";
import { CHECK_ROUTES } from "./routes/check-routes.ts";
import { COMMENT_ROUTES } from "./routes/comment-routes.ts";
import { HOOK_ROUTES } from "./routes/hook-routes.ts";
import { ISSUE_ROUTES } from "./routes/issue-routes.ts";
import { JOB_ROUTES } from "./routes/job-routes.ts";
import { LABEL_ROUTES } from "./routes/label-routes.ts";
import { PROJECT_ROUTES } from "./routes/project-routes.ts";
import { PULL_ROUTES } from "./routes/pull-routes.ts";
import { RATE_LIMIT_ROUTES } from "./routes/rate-limit-routes.ts";
import { REF_ROUTES } from "./routes/ref-routes.ts";
import { RELATION_ROUTES } from "./routes/relation-routes.ts";
import { REPOSITORY_ROUTES } from "./routes/repository-routes.ts";
import { REVIEW_ROUTES } from "./routes/review-routes.ts";
import { USER_ROUTES } from "./routes/user-routes.ts";

/** Lists everything that the REST API here can do. */
export const ROUTES: readonly Route[] = [
  ...APP_ROUTES,
  ...HOOK_ROUTES,
  ...RATE_LIMIT_ROUTES,
  ...PROJECT_ROUTES,
  ...CHECK_ROUTES,
  ...JOB_ROUTES,
  ...COMMENT_ROUTES,
  ...LABEL_ROUTES,
  ...RELATION_ROUTES,
  ...ISSUE_ROUTES,
  ...REVIEW_ROUTES,
  ...PULL_ROUTES,
  ...REF_ROUTES,
  ...REPOSITORY_ROUTES,
  ...USER_ROUTES,
];

export interface FoundRoute {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

const PATTERNS = ROUTES.map((route) => ({ route, pattern: patternOf(route.template) }));

/** Makes the pattern of a template. A name with slashes is the last part of the routes that take it, or comes encoded. */
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
