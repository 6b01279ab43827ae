import { sha } from "../../../domain/ids.ts";
import type { RepoName } from "../../../domain/ids.ts";
import type { CheckFact, GitHub, PullReadiness } from "../../../ports/github.ts";
import { ownerAndRepo } from "../connection/connection.ts";
import type { Connection } from "../connection/connection.ts";
import { present } from "./parse-reading.ts";
import { checksOf, concluded } from "./verdicts.ts";

/** This is more than most teams have waiting; a commit with more checks is read in another way. */
const MAX_PULLS = 50;
const MAX_CHECKS = 50;

const FIELDS = /* GraphQL */ `
  headRefOid
  mergeStateStatus
  statusCheckRollup {
    contexts(first: ${MAX_CHECKS}) {
      totalCount
      nodes {
        ... on CheckRun {
          name
          status
          conclusion
          checkSuite {
            app {
              databaseId
            }
          }
        }
        ... on StatusContext {
          context
          state
        }
      }
    }
  }
`;

interface CheckNode {
  readonly name?: string;
  readonly status?: string;
  readonly conclusion?: string | null;
  readonly checkSuite?: { readonly app: { readonly databaseId: number | null } | null };
  readonly context?: string;
  readonly state?: string;
}

interface PullNode {
  readonly headRefOid: string;
  readonly mergeStateStatus: string;
  readonly statusCheckRollup: {
    readonly contexts: {
      readonly totalCount: number;
      readonly nodes: readonly (CheckNode | null)[] | null;
    };
  } | null;
}

type Answer = Readonly<Record<string, PullNode | null>>;

type Wanted = Parameters<GitHub["readiness"]>[1];

interface Look {
  readonly at: number;
  readonly required: Wanted["required"];
  readonly found: PullReadiness;
}

/** A look that is older than this is of no use to anybody. */
const FORGET_AFTER_MS = 60 * 60_000;

/** Asks in one query for all that have no look that is recent enough. */
export function createReadiness(
  connection: Connection,
  now: () => number,
): Pick<GitHub, "readiness" | "isAwaited"> {
  const looks = new Map<RepoName, Map<number, Look>>();
  return {
    async readiness(repo, { pulls, required }, since) {
      const at = now();
      const known = looks.get(repo) ?? new Map<number, Look>();
      const kept = [...known].filter(([, look]) => look.at > at - FORGET_AFTER_MS);
      const old = pulls.filter((pull) => (known.get(pull)?.at ?? -Infinity) < since);
      const read = await readAll(connection, repo, old.slice(0, MAX_PULLS));
      const news = [...read].map(([pull, found]) => [pull, { at, required, found }] as const);
      const seen = new Map<number, Look>([...kept, ...news]);
      looks.set(repo, seen);
      return new Map(
        pulls.flatMap((pull) => {
          const look = seen.get(pull);
          return look === undefined ? [] : [[pull, look.found] as const];
        }),
      );
    },
    isAwaited(repo, { head, name }) {
      const all = [...(looks.get(repo)?.values() ?? [])];
      const look = all.find(({ found }) => found.head === head);
      if (look?.required.some((check) => check.name === name) !== true) return false;
      return !look.found.checks.some((check) => check.name === name && check.state === "success");
    },
  };
}

async function readAll(
  connection: Connection,
  repo: RepoName,
  pulls: readonly number[],
): Promise<ReadonlyMap<number, PullReadiness>> {
  const found = new Map<number, PullReadiness>();
  if (pulls.length === 0) return found;
  const declared = pulls.map((_, at) => `$p${at}: Int!`).join(", ");
  const fields = pulls.map((_, at) => `p${at}: pullRequest(number: $p${at}) { ${FIELDS} }`);
  const query = `query Readiness($owner: String!, $repo: String!, ${declared}) {
  repository(owner: $owner, name: $repo) { ${fields.join("\n")} }
}`;
  const numbers = Object.fromEntries(pulls.map((number, at) => [`p${at}`, number]));
  const { repository } = await connection.call(repo, "read required checks", (client) =>
    client.graphql<{ repository: Answer | null }>(query, { ...ownerAndRepo(repo), ...numbers }),
  );
  for (const [at, number] of pulls.entries()) {
    const node = repository?.[`p${at}`];
    if (node == null) continue;
    const contexts = node.statusCheckRollup?.contexts;
    const head = sha(node.headRefOid);
    const hasMore = (contexts?.totalCount ?? 0) > MAX_CHECKS;
    const checks = hasMore
      ? await checksOf(connection, repo, head)
      : present(contexts?.nodes).map(factFrom);
    found.set(number, { head, checks, behind: node.mergeStateStatus === "BEHIND" });
  }
  return found;
}

function factFrom(node: CheckNode): CheckFact {
  if (node.context !== undefined) return statusFact(node.context, node.state ?? "");
  const app = node.checkSuite?.app?.databaseId ?? undefined;
  const isDone = node.status === "COMPLETED";
  const state = isDone ? concluded(node.conclusion?.toLowerCase() ?? null) : "pending";
  return { name: node.name ?? "", app, state };
}

const UNDECIDED: ReadonlySet<string> = new Set(["PENDING", "EXPECTED"]);

function statusFact(name: string, state: string): CheckFact {
  const isPending = UNDECIDED.has(state);
  return { name, app: undefined, state: isPending ? "pending" : concluded(state.toLowerCase()) };
}
