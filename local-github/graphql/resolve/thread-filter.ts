import type { Issue } from "../../model/issue.ts";
import type { PullRequest } from "../../model/pull-request.ts";

export interface ThreadFilter {
  readonly states?: readonly string[] | null;
  readonly labels?: readonly string[] | null;
  readonly baseRefName?: string | null;
  readonly headRefName?: string | null;
  readonly orderBy?: { readonly field: string; readonly direction: "ASC" | "DESC" } | null;
}

/** Lists the issues or pull requests that the arguments ask for, oldest first unless they say otherwise. */
export function filteredThreads(
  threads: readonly (Issue | PullRequest)[],
  filter: ThreadFilter,
): readonly (Issue | PullRequest)[] {
  const kept = threads.filter((thread) => matches(thread, filter));
  return filter.orderBy ? kept.sort(comparison(filter.orderBy)) : kept;
}

function matches(thread: Issue | PullRequest, filter: ThreadFilter): boolean {
  const labels = thread.labels.map((label) => label.name);
  return (
    (!filter.states || filter.states.includes(stateOf(thread))) &&
    (!filter.labels || filter.labels.some((name) => labels.includes(name))) &&
    (!filter.baseRefName || refOf(thread, "baseRef") === filter.baseRefName) &&
    (!filter.headRefName || refOf(thread, "headRef") === filter.headRefName)
  );
}

function stateOf(thread: Issue | PullRequest): string {
  const merged = thread.kind === "pull-request" && thread.landing !== null;
  return merged ? "MERGED" : thread.state.toUpperCase();
}

function refOf(thread: Issue | PullRequest, which: "baseRef" | "headRef"): string | undefined {
  return thread.kind === "pull-request" ? thread[which] : undefined;
}

function comparison({
  field,
  direction,
}: NonNullable<ThreadFilter["orderBy"]>): (
  a: Issue | PullRequest,
  b: Issue | PullRequest,
) => number {
  const sign = direction === "ASC" ? 1 : -1;
  const key = (thread: Issue | PullRequest): string | number => {
    if (field === "COMMENTS") return thread.comments.length;
    return field === "UPDATED_AT" ? thread.updatedAt : thread.createdAt;
  };
  return (a, b) => {
    if (key(a) === key(b)) return sign * (a.number - b.number);
    return key(a) < key(b) ? -sign : sign;
  };
}
