import type { RepoName } from "../../domain/ids.ts";
import type { CloserLook, GitHub } from "../../ports/github.ts";
import { AppError } from "../../shared/app-error.ts";
import { ownerAndRepo } from "./connection.ts";
import type { Connection, Octokit } from "./connection.ts";
import { graphqlErrorsOf } from "./graphql-errors.ts";
import { pullFromNode } from "./parse-reading.ts";
import { PULL_STATES } from "./pull-state.ts";
import { PULL_FIELDS } from "./reading-query.ts";
import type { PullNode } from "./reading-nodes.ts";

type Wanted = Parameters<GitHub["lookCloser"]>[1];
type LookedAt = PullNode & { readonly state: keyof typeof PULL_STATES };
type Answer = Readonly<Record<string, LookedAt | { readonly totalCount: number } | null>>;

/** 100 pull requests with their reviews are about one point of GitHub's. */
const MOST = 100;

/** Everything that a pass of the train has to know before it does what cannot be taken back. */
export async function lookCloser(
  connection: Connection,
  repo: RepoName,
  { pulls, branches }: Wanted,
): Promise<CloserLook> {
  const seen: CloserLook = { pulls: new Map(), wanted: new Map() };
  const most = Math.max(pulls.length, branches.length);
  for (let from = 0; from < most; from += MOST) {
    const part = <T>(all: readonly T[]): readonly T[] => all.slice(from, from + MOST);
    const wanted = { pulls: part(pulls), branches: part(branches) };
    const answer = await connection.call(repo, "look at pull requests", (client) =>
      ask(client, repo, wanted),
    );
    note(answer, wanted, seen);
  }
  return seen;
}

async function ask(client: Octokit, repo: RepoName, wanted: Wanted): Promise<Answer> {
  const { query, variables } = documentFor(wanted);
  try {
    const { repository } = await client.graphql<{ repository: Answer | null }>(query, {
      ...ownerAndRepo(repo),
      ...variables,
    });
    if (repository === null) throw unreadable(repo);
    return repository;
  } catch (error) {
    // A pull request that is not there is an error beside the data of the others.
    const missing = graphqlErrorsOf(error)?.every(({ type }) => type === "NOT_FOUND") === true;
    const data = (error as { readonly data?: { readonly repository: Answer | null } | null }).data;
    if (!missing || !data?.repository) throw error;
    return data.repository;
  }
}

/** Without this every pull request and every wish for a branch would count as gone. */
function unreadable(repo: RepoName): AppError {
  return new AppError("github-refused", `the pull requests of ${repo} cannot be read`);
}

function documentFor({ pulls, branches }: Wanted): {
  readonly query: string;
  readonly variables: Readonly<Record<string, string | number>>;
} {
  const declared = [
    ...pulls.map((_, at) => `$p${at}: Int!`),
    ...branches.map((_, at) => `$b${at}: String!`),
  ];
  const fields = [
    ...pulls.map((_, at) => `p${at}: pullRequest(number: $p${at}) { state ${PULL_FIELDS} }`),
    ...branches.map(
      (_, at) =>
        `b${at}: pullRequests(baseRefName: $b${at}, states: OPEN, first: 1) { totalCount }`,
    ),
  ];
  const query = `query CloserLook($owner: String!, $repo: String!, ${declared.join(", ")}) {
  repository(owner: $owner, name: $repo) {
    ${fields.join("\n    ")}
  }
}`;
  const named = (letter: string, values: readonly (string | number)[]) =>
    values.map((value, at) => [`${letter}${at}`, value] as const);
  return { query, variables: Object.fromEntries([...named("p", pulls), ...named("b", branches)]) };
}

function note(answer: Answer, wanted: Wanted, seen: CloserLook): void {
  const pulls = seen.pulls as Map<number, ReturnType<typeof pullFromNode>>;
  const onto = seen.wanted as Map<string, boolean>;
  wanted.pulls.forEach((number, at) => {
    const node = answer[`p${at}`];
    if (node == null || !("state" in node)) return;
    pulls.set(number, { ...pullFromNode(node), state: PULL_STATES[node.state] });
  });
  wanted.branches.forEach((branch, at) => {
    const node = answer[`b${at}`];
    if (node != null && "totalCount" in node) onto.set(branch, node.totalCount > 0);
  });
}
