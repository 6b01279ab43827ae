import { sha } from "../../../domain/ids.ts";
import type { RepoName, Sha } from "../../../domain/ids.ts";
import type { BranchRules, GitHub, QueuedGroup, RequiredCheck } from "../../../ports/github.ts";
import { AppError } from "../../../shared/app-error.ts";
import { ownerAndRepo } from "../connection/connection.ts";
import type { Connection, Octokit } from "../connection/connection.ts";
import { httpFailureOf } from "../connection/github-failure.ts";
import { present } from "./parse-reading.ts";

/** Each of these rules can stop a direct write to the branch. */
const RESTRICTING = new Set([
  "pull_request",
  "update",
  "required_status_checks",
  "required_signatures",
]);

/** Rules change about once a year. A caller that GitHub refuses something, which points to a new rule, asks for fresh ones. */
const REREAD_AFTER_MS = 5 * 60_000;

interface Rule {
  readonly type: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

const QUEUE = /* GraphQL */ `
  query MergeQueue($owner: String!, $repo: String!, $branch: String!) {
    repository(owner: $owner, name: $repo) {
      mergeQueue(branch: $branch) {
        entries(first: 100) {
          nodes {
            state
            headCommit {
              oid
            }
            pullRequest {
              number
            }
          }
        }
      }
    }
  }
`;

interface QueueAnswer {
  readonly repository: {
    readonly mergeQueue: {
      readonly entries: {
        readonly nodes:
          | readonly ({
              readonly state: string;
              readonly headCommit: { readonly oid: string } | null;
              readonly pullRequest: { readonly number: number } | null;
            } | null)[]
          | null;
      } | null;
    } | null;
  } | null;
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

export function branchHead(connection: Connection, repo: RepoName, branch: string): Promise<Sha> {
  return connection.call(repo, `read the branch ${branch}`, async (client) => {
    const { data } = await client.rest.repos.getBranch({ ...ownerAndRepo(repo), branch });
    // When a branch was renamed, GitHub answers with the branch of the new name.
    if (data.name !== branch) {
      throw new AppError("github-refused", `the branch ${branch} is called ${data.name} now`);
    }
    return sha(data.commit.sha);
  });
}

export function mergeQueue(
  connection: Connection,
  repo: RepoName,
  branch: string,
): Promise<readonly QueuedGroup[]> {
  return connection.call(repo, "read the merge queue", async (client) => {
    const at = { ...ownerAndRepo(repo), branch };
    const answer = await client.graphql<QueueAnswer>(QUEUE, at);
    const nodes = present(answer.repository?.mergeQueue?.entries?.nodes);
    return nodes.map((node) => ({
      pull: node.pullRequest?.number ?? 0,
      head: node.headCommit === null ? undefined : sha(node.headCommit.oid),
      waitsForChecks: node.state === "AWAITING_CHECKS",
    }));
  });
}

function readRules(connection: Connection, repo: RepoName, branch: string): Promise<BranchRules> {
  return connection.call(repo, `read the rules of ${branch}`, async (client) => {
    const at = { ...ownerAndRepo(repo), branch };
    const all = { ...at, per_page: 100 };
    const rules: readonly Rule[] = await client.paginate(client.rest.repos.getBranchRules, all);
    return rulesFrom(rules, await readProtection(client, at));
  });
}

type BranchAnswer = Awaited<ReturnType<Octokit["rest"]["repos"]["getBranch"]>>["data"];

type Protection = Pick<BranchAnswer, "protected" | "protection">;

/** Rulesets know nothing of classic protection: the branch itself tells of it. A branch that is not there has none. */
async function readProtection(
  client: Octokit,
  at: { readonly owner: string; readonly repo: string; readonly branch: string },
): Promise<Protection | undefined> {
  try {
    return (await client.rest.repos.getBranch(at)).data;
  } catch (error) {
    if (httpFailureOf(error)?.status === 404) return undefined;
    throw error;
  }
}

function rulesFrom(rules: readonly Rule[], branch: Protection | undefined): BranchRules {
  const approvals = rules.map(({ parameters }) =>
    Number(parameters?.["required_approving_review_count"] ?? 0),
  );
  return {
    approvals: Math.max(0, ...approvals),
    checks: [...rules.flatMap(checksOf), ...classicChecks(branch)],
    restricted: rules.some(({ type }) => RESTRICTING.has(type)) || isClassic(rules, branch),
    signatures: rules.some(({ type }) => type === "required_signatures"),
    mergeQueue: rules.some(({ type }) => type === "merge_queue"),
    linear: rules.some(({ type }) => type === "required_linear_history"),
  };
}

/** The app may read that there is classic protection and which checks it requires, nothing else: so all of it may hold a write back. */
function isClassic(rules: readonly Rule[], branch: Protection | undefined): boolean {
  return branch?.protected === true && (branch.protection.enabled === true || rules.length === 0);
}

function classicChecks(branch: Protection | undefined): readonly RequiredCheck[] {
  const required = branch?.protection.required_status_checks;
  if (branch?.protection.enabled !== true || required === undefined) return [];
  // GitHub marks a check that any app may report by -1 or by nothing.
  const appOf = new Map(required.checks.map(({ context, app_id: app }) => [context, app]));
  return required.contexts.map((name) => {
    const app = appOf.get(name) ?? -1;
    return { name, app: app > 0 ? app : undefined };
  });
}

function checksOf({ parameters }: Rule): readonly RequiredCheck[] {
  const checks = parameters?.["required_status_checks"];
  if (!Array.isArray(checks)) return [];
  return (checks as { context: string; integration_id?: number }[]).map((check) => ({
    name: check.context,
    app: check.integration_id,
  }));
}
