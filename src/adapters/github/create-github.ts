import { REPO_CONFIG_PATH } from "../../config/repository/read-repo-config.ts";
import type { RepoConfig } from "../../config/schema/repo-config.ts";
import type { RepoName } from "../../domain/ids.ts";
import type { GitHub } from "../../ports/github.ts";
import type { IssueWriter } from "../../ports/issue-writer.ts";
import { addCards } from "./boards/add-cards.ts";
import { createBoardProbe } from "./boards/board-probe.ts";
import { createLabelBoard } from "./boards/label-board.ts";
import { createPersonalBoard } from "./boards/personal-board.ts";
import { createProjectBoard } from "./boards/project-board.ts";
import type { RepoBoard } from "./boards/project-board.ts";
import { ownerAndRepo } from "./connection/connection.ts";
import type { Connection } from "./connection/connection.ts";
import { createGitTokens } from "./connection/git-tokens.ts";
import { httpFailureOf } from "./connection/github-failure.ts";
import { createPersonalAccess, createPersonalTokens } from "./connection/personal-access.ts";
import type { PersonalAccess } from "./connection/personal-access.ts";
import { branchHead, createBranchRules, mergeQueue } from "./reading/branches.ts";
import { createIssueStates, createSubIssues } from "./reading/many-issues.ts";
import { createObjectiveReader } from "./reading/objective-reader.ts";
import { pullState, refreshPulls } from "./reading/pull-state.ts";
import { createReadiness } from "./reading/readiness.ts";
import { createTrustReader } from "./reading/trust-reader.ts";
import { checksOf, createReviewReader } from "./reading/verdicts.ts";
import { createCommentCommands } from "./writing/comment-commands.ts";
import { createIssueWriter } from "./writing/issue-writer.ts";
import type { WriterOptions } from "./writing/issue-writer.ts";
import { createRefs, enqueuePullRequest, mergePullRequest } from "./writing/landings.ts";
import { describePullRequest, openPullRequest } from "./writing/open-pull-request.ts";
import { createPublishing } from "./writing/publishing.ts";

const NOBODY = createPersonalAccess("", createPersonalTokens({}, {}));

/** Implements the port `GitHub` with octokit. */
export function createGitHub(
  connection: Connection,
  now: () => number,
  personal: PersonalAccess = NOBODY,
): GitHub {
  let readings = createReadings(connection, personal, now);
  const boardOf = (config: RepoConfig): RepoBoard => readings.boardOf(config);
  const updateRefs = createRefs(connection);
  return {
    listRepos: () => connection.listRepos(),
    forgetReadings: () => {
      readings = createReadings(connection, personal, now);
    },
    readConfigFile: createConfigReader(connection),
    isUnchanged: (repo, config, since) => readings.isUnchanged(repo, config, since),
    readRepo: (repo, config, since) => boardOf(config).read(repo, config, since),
    repoOfCard: (id) => readings.boards.project.repoOfCard(id),
    updateCards: (repo, config, update) => boardOf(config).update(repo, config, update),
    openPullRequest: (request) => openPullRequest(connection, request),
    describePullRequest: (repo, pull, body) =>
      describePullRequest(connection, { repo, pull, body }),
    mergePullRequest: (_lock, request) => mergePullRequest(connection, request),
    updateRefs: (_lock, request) => updateRefs(request),
    enqueuePullRequest: (_lock, request) => enqueuePullRequest(connection, request),
    mergeQueue: (repo, branch) => mergeQueue(connection, repo, branch),
    branchRules: (repo, branch, age) => readings.branchRules(repo, branch, age),
    readiness: (repo, wanted, since) => readings.readiness(repo, wanted, since),
    isAwaited: (repo, report) => readings.isAwaited(repo, report),
    checksOf: (repo, commit) => checksOf(connection, repo, commit),
    refreshPulls: (repo, at) => refreshPulls(connection, repo, at),
    nextWriteAt: (repo, kind) => connection.nextWriteAt(repo, kind),
    takePush: (repo) => Promise.resolve().then(() => connection.takePush(repo)),
    gitToken: createGitTokens(connection, now),
    issueStates: (repo, ids) => readings.issueStates(repo, ids),
    subIssues: (repo, ids) => readings.subIssues(repo, ids),
    pullState: (repo, number) => pullState(connection, repo, number),
    branchHead: (repo, branch) => branchHead(connection, repo, branch),
    readObjectives: createObjectiveReader(connection),
    ...createWriter(connection, personal),
    provenance: (repo, config, ids) => readings.provenance(repo, config, ids),
    mayWrite: (repo, login) => readings.mayWrite(repo, login),
    ...createReviewReader(connection, (repo, branch, age) =>
      readings.branchRules(repo, branch, age),
    ),
    ...createPublishing(connection),
    ...createCommentCommands(connection),
  };
}

/** Cards of a personal project are added with its owner's token, because nobody else can add them. */
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

/** Issues are opened as the app's installation. */
function issueAccess(connection: Connection): Pick<WriterOptions, "call" | "login"> {
  return {
    login: () => connection.botLogin(),
    call: (repo, attempted, work) =>
      connection.call(repo, attempted, ({ rest, paginate, graphql }) =>
        work({ rest, paginate, query: (document, variables) => graphql(document, variables) }),
      ),
  };
}

/** Holds everything that remembers for a while what it has read. */
function createReadings(connection: Connection, personal: PersonalAccess, now: () => number) {
  const boards = createBoards(connection, personal, now);
  const boardOf = ({ board }: RepoConfig): RepoBoard => boards[board.kind ?? "project"];
  return {
    boards,
    boardOf,
    isUnchanged: createBoardProbe(connection, boardOf),
    branchRules: createBranchRules(connection, now),
    ...createReadiness(connection, now),
    issueStates: createIssueStates(connection, now),
    subIssues: createSubIssues(connection, now),
    ...createTrustReader(connection, now, personal),
  };
}

function createBoards(connection: Connection, personal: PersonalAccess, now: () => number) {
  return {
    project: createProjectBoard(connection, now),
    labels: createLabelBoard(connection, now),
    "user-project": createPersonalBoard(connection, personal, now),
  };
}

type ConfigFile = Awaited<ReturnType<GitHub["readConfigFile"]>>;

/** Reads the file again only when it changed. GitHub does not count an answer that says it did not change. */
export function createConfigReader(
  connection: Connection,
): (repo: RepoName) => Promise<ConfigFile> {
  const known = new Map<RepoName, { readonly etag: string; readonly file: ConfigFile }>();
  return (repo) =>
    connection.call(repo, `read ${REPO_CONFIG_PATH}`, async (client) => {
      const before = known.get(repo);
      try {
        const { data, headers } = await client.rest.repos.getContent({
          ...ownerAndRepo(repo),
          path: REPO_CONFIG_PATH,
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
