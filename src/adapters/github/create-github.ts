import { REPO_CONFIG_PATH } from "../../config/read-repo-config.ts";
import type { RepoConfig } from "../../config/schema.ts";
import type { RepoName } from "../../domain/ids.ts";
import type { GitHub } from "../../ports/github.ts";
import type { IssueWriter } from "../../ports/issue-writer.ts";
import { addCards } from "./add-cards.ts";
import { createBoardProbe } from "./board-probe.ts";
import { createBranchRules } from "./branch-rules.ts";
import { branchHead } from "./branch-head.ts";
import { checksOf } from "./checks-of.ts";
import { httpFailureOf } from "./classify.ts";
import { ownerAndRepo } from "./connection.ts";
import type { Connection } from "./connection.ts";
import { createCommentCommands } from "./comment-commands.ts";
import { createGitTokens } from "./git-tokens.ts";
import { createIssueStates } from "./issue-states.ts";
import { createIssueWriter } from "./issue-writer.ts";
import type { WriterOptions } from "./issue-writer.ts";
import { createObjectiveReader } from "./objective-reader.ts";
import { mergePullRequest } from "./merge-pull-request.ts";
import { enqueuePullRequest, mergeQueue } from "./merge-queue.ts";
import { describePullRequest, openPullRequest } from "./open-pull-request.ts";
import { createLabelBoard } from "./label-board.ts";
import { createPersonalAccess } from "./personal-access.ts";
import type { PersonalAccess } from "./personal-access.ts";
import { createPersonalBoard } from "./personal-board.ts";
import { createPersonalTokens } from "./personal-tokens.ts";
import { lookCloser } from "./look-closer.ts";
import { createProjectBoard } from "./project-board.ts";
import { createPublishing } from "./publishing.ts";
import { createReviewReader } from "./review-reader.ts";
import { createSubIssues } from "./sub-issues.ts";
import { createTrustReader } from "./trust-reader.ts";
import { pullState } from "./pull-state.ts";
import { createRefs } from "./refs.ts";

const NOBODY = createPersonalAccess("", createPersonalTokens({}, {}));

/** GitHub through octokit, in the words of the port. */
export function createGitHub(
  connection: Connection,
  now: () => number,
  personal: PersonalAccess = NOBODY,
): GitHub {
  const boardOf = createBoards(connection, personal, now);
  const updateRefs = createRefs(connection);
  return {
    listRepos: () => connection.listRepos(),
    readConfigFile: createConfigReader(connection),
    isUnchanged: createBoardProbe(connection, personal),
    readRepo: (repo, config) => boardOf(config).read(repo, config),
    updateCards: (repo, config, update) => boardOf(config).update(repo, config, update),
    openPullRequest: (request) => openPullRequest(connection, request),
    describePullRequest: (repo, pull, body) =>
      describePullRequest(connection, { repo, pull, body }),
    mergePullRequest: (_lock, request) => mergePullRequest(connection, request),
    updateRefs: (_lock, request) => updateRefs(request),
    enqueuePullRequest: (_lock, request) => enqueuePullRequest(connection, request),
    mergeQueue: (repo, branch) => mergeQueue(connection, repo, branch),
    branchRules: createBranchRules(connection, now),
    checksOf: (repo, commit) => checksOf(connection, repo, commit),
    lookCloser: (repo, at) => lookCloser(connection, repo, at),
    nextWriteAt: (repo, kind) => connection.nextWriteAt(repo, kind),
    gitToken: createGitTokens(connection, now),
    issueStates: createIssueStates(connection, now),
    subIssues: createSubIssues(connection, now),
    pullState: (repo, number) => pullState(connection, repo, number),
    branchHead: (repo, branch) => branchHead(connection, repo, branch),
    readObjectives: createObjectiveReader(connection),
    ...createWriter(connection, personal),
    ...createTrustReader(connection, now, personal),
    ...createReviewReader(connection),
    ...createPublishing(connection),
    ...createCommentCommands(connection),
  };
}

/** Only the owner of a project of their own can put cards on it. */
function createWriter(connection: Connection, personal: PersonalAccess): IssueWriter {
  const writer = createIssueWriter({ ...issueAccess(connection), owner: "organization" });
  return {
    ...writer,
    addCards: (repo, config, issues) => {
      const { board } = config;
      if (board.kind !== "user-project") return writer.addCards(repo, config, issues);
      const nodes = issues.map(({ nodeId }) => nodeId);
      return personal.call({ repo, board, attempted: "add cards to the board" }, (query) =>
        addCards({ query }, { repo, config, owner: "user", nodes }),
      );
    },
  };
}

/** The installation opens issues as itself. */
function issueAccess(connection: Connection): Pick<WriterOptions, "call" | "login"> {
  return {
    login: () => connection.botLogin(),
    call: (repo, attempted, work) =>
      connection.call(repo, attempted, ({ rest, paginate, graphql }) =>
        work({ rest, paginate, query: (document, variables) => graphql(document, variables) }),
      ),
  };
}

function createBoards(connection: Connection, personal: PersonalAccess, now: () => number) {
  const boards = {
    project: createProjectBoard(connection, now),
    labels: createLabelBoard(connection, now),
    "user-project": createPersonalBoard(connection, personal, now),
  };
  return ({ board }: RepoConfig) => boards[board.kind ?? "project"];
}

type ConfigFile = Awaited<ReturnType<GitHub["readConfigFile"]>>;

/** Read again only when it changed: GitHub does not count the answer that it did not. */
export function createConfigReader(
  connection: Connection,
): (repo: RepoName) => Promise<ConfigFile> {
  const known = new Map<RepoName, { readonly etag: string; readonly file: ConfigFile }>();
  return (repo) =>
    connection.call(repo, `read ${REPO_CONFIG_PATH}`, async (client) => {
      const before = known.get(repo);
      try {
        const { data, headers } = await client.rest.repos.getContent({
          ...{ ...ownerAndRepo(repo), path: REPO_CONFIG_PATH },
          headers: before === undefined ? {} : { "if-none-match": before.etag },
        });
        if (Array.isArray(data) || data.type !== "file") return undefined;
        const file = { text: Buffer.from(data.content, "base64").toString("utf8"), sha: data.sha };
        if (headers.etag !== undefined) known.set(repo, { etag: headers.etag, file });
        return file;
      } catch (error) {
        const status = httpFailureOf(error)?.status;
        if (status === 304) return before?.file;
        if (status === 404) return undefined;
        throw error;
      }
    });
}
