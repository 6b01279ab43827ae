import { sha } from "../../../domain/ids.ts";
import type { RepoName } from "../../../domain/ids.ts";
import type { CloserLook, GitHub, PullFacts } from "../../../ports/github.ts";
import { AppError } from "../../../shared/app-error.ts";
import { ownerAndRepo } from "../connection/connection.ts";
import type { Connection, Octokit } from "../connection/connection.ts";
import { graphqlErrorsOf } from "../connection/github-failure.ts";
import { Portion } from "../connection/portion.ts";
import { wholePulls } from "./long-lists.ts";
import type { Query } from "./long-lists.ts";
import { pullFromNode } from "./parse-reading.ts";
import type { PullNode } from "./reading-nodes.ts";
import { PULL_FIELDS } from "./reading-query.ts";

const PULL_STATES = { OPEN: "open", CLOSED: "closed", MERGED: "merged" } as const;

const PULL_STATE = /* GraphQL */ `
  query PullState($owner: String!, $repo: String!, $number: Int!) {
    repository(owner: $owner, name: $repo) {
      pullRequest(number: $number) {
        state
        isDraft
        headRefOid
        baseRefName
        isInMergeQueue
        mergeCommit {
          oid
        }
      }
    }
  }
`;

interface PullAnswer {
  readonly repository: {
    readonly pullRequest: {
      readonly state: "OPEN" | "CLOSED" | "MERGED";
      readonly isDraft: boolean;
      readonly headRefOid: string;
      readonly baseRefName: string;
      readonly isInMergeQueue: boolean;
      readonly mergeCommit: { readonly oid: string } | null;
    } | null;
  } | null;
}

type Wanted = Parameters<GitHub["refreshPulls"]>[1];

type LookedAt = PullNode & { readonly state: keyof typeof PULL_STATES };

type LookAnswer = Readonly<Record<string, LookedAt | { readonly totalCount: number } | null>>;

/** A query for 100 pull requests with their reviews costs about one point of GitHub's budget. */
const MAX_PULLS_PER_QUERY = 100;

/** It is called before a step that cannot be repeated and after an answer was lost. REST no longer tells the merge commit. */
export function pullState(
  connection: Connection,
  repo: RepoName,
  number: number,
): Promise<PullFacts> {
  const attempted = `read pull request ${number}`;
  return connection.call(repo, attempted, async (client) => {
    const answer = await client.graphql<PullAnswer>(PULL_STATE, { ...ownerAndRepo(repo), number });
    const pull = answer.repository?.pullRequest;
    if (pull == null) throw new AppError("github-refused", `cannot ${attempted}: it is not there`);
    return {
      state: PULL_STATES[pull.state],
      head: sha(pull.headRefOid),
      base: pull.baseRefName,
      draft: pull.isDraft,
      mergedAs: pull.mergeCommit === null ? undefined : sha(pull.mergeCommit.oid),
      inMergeQueue: pull.isInMergeQueue,
    };
  });
}

/** Reads everything that a pass of the train has to know before it takes a step that cannot be taken back. */
export async function refreshPulls(
  connection: Connection,
  repo: RepoName,
  { pulls, branches }: Wanted,
): Promise<CloserLook> {
  const seen: CloserLook = { pulls: new Map(), wanted: new Map() };
  const portion = new Portion(MAX_PULLS_PER_QUERY, () => 0);
  const places = Array.from({ length: Math.max(pulls.length, branches.length) }, (_, at) => at);
  await connection.call(repo, "look at pull requests", async (client) => {
    const query: Query = (document, variables) => client.graphql(document, variables);
    await portion.askAll(places, async ([from = 0, ...others]) => {
      const part = <T>(all: readonly T[]): readonly T[] =>
        all.slice(from, from + 1 + others.length);
      const wanted = { pulls: part(pulls), branches: part(branches) };
      const answer = await ask(client, repo, wanted);
      const looked = wanted.pulls.flatMap((_, at) => lookedAt(answer[`p${at}`]));
      note({ answer, pulls: await wholePulls(query, looked) }, wanted, seen);
    });
  });
  return seen;
}

async function ask(client: Octokit, repo: RepoName, wanted: Wanted): Promise<LookAnswer> {
  const { query, variables } = documentFor(wanted);
  try {
    const { repository } = await client.graphql<{ repository: LookAnswer | null }>(query, {
      ...ownerAndRepo(repo),
      ...variables,
    });
    if (repository === null) throw unreadable(repo);
    return repository;
  } catch (error) {
    // GitHub reports a missing pull request as an error beside the data of the others.
    const missing = graphqlErrorsOf(error)?.every(({ type }) => type === "NOT_FOUND") === true;
    const data = (error as { readonly data?: { readonly repository: LookAnswer | null } | null })
      .data;
    if (!missing || !data?.repository) throw error;
    return data.repository;
  }
}

/** Without this error every pull request, and every pull request onto a branch, would count as gone. */
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

function lookedAt(node: LookAnswer[string] | undefined): readonly LookedAt[] {
  return node != null && "state" in node ? [node] : [];
}

function note(
  { answer, pulls }: { readonly answer: LookAnswer; readonly pulls: readonly LookedAt[] },
  wanted: Wanted,
  seen: CloserLook,
): void {
  const known = seen.pulls as Map<number, ReturnType<typeof pullFromNode>>;
  const onto = seen.wanted as Map<string, boolean>;
  for (const node of pulls) {
    known.set(node.number, { ...pullFromNode(node), state: PULL_STATES[node.state] });
  }
  wanted.branches.forEach((branch, at) => {
    const node = answer[`b${at}`];
    if (node != null && "totalCount" in node) onto.set(branch, node.totalCount > 0);
  });
}
