import type { RepoName } from "../../domain/ids.ts";
import type { BranchRules, GitHub, RequiredCheck } from "../../ports/github.ts";
import { ownerAndRepo } from "./connection.ts";
import type { Connection } from "./connection.ts";

/** Rules change about once a year; whoever meets a new one, because GitHub refuses something, asks for them afresh. */
const REREAD_AFTER_MS = 5 * 60_000;

/** Any of these holds back whoever writes to the branch directly. */
const RESTRICTING = new Set([
  "pull_request",
  "update",
  "required_status_checks",
  "required_signatures",
]);

interface Rule {
  readonly type: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

export function createBranchRules(
  connection: Connection,
  now: () => number,
): GitHub["branchRules"] {
  const known = new Map<string, { readonly rules: BranchRules; readonly readAt: number }>();
  return async (repo, branch, age = "recent") => {
    const key = `${repo}@${branch}`;
    const before = known.get(key);
    const recent = before !== undefined && now() - before.readAt < REREAD_AFTER_MS;
    if (recent && age === "recent") return before.rules;
    const rules = await readRules(connection, repo, branch);
    known.set(key, { rules, readAt: now() });
    return rules;
  };
}

function readRules(connection: Connection, repo: RepoName, branch: string): Promise<BranchRules> {
  return connection.call(repo, `read the rules of ${branch}`, async (client) => {
    const at = { ...ownerAndRepo(repo), branch, per_page: 100 };
    const rules: readonly Rule[] = await client.paginate(client.rest.repos.getBranchRules, at);
    return rulesFrom(rules);
  });
}

function rulesFrom(rules: readonly Rule[]): BranchRules {
  const approvals = rules.map(({ parameters }) =>
    Number(parameters?.["required_approving_review_count"] ?? 0),
  );
  return {
    approvals: Math.max(0, ...approvals),
    checks: rules.flatMap(checksOf),
    restricted: rules.some(({ type }) => RESTRICTING.has(type)),
    mergeQueue: rules.some(({ type }) => type === "merge_queue"),
    linear: rules.some(({ type }) => type === "required_linear_history"),
  };
}

function checksOf({ parameters }: Rule): readonly RequiredCheck[] {
  const checks = parameters?.["required_status_checks"];
  if (!Array.isArray(checks)) return [];
  return (checks as { context: string; integration_id?: number }[]).map((check) => ({
    name: check.context,
    app: check.integration_id,
  }));
}
