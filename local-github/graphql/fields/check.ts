import type { App } from "../../model/app.ts";
import type { CheckRun, CheckSuite, CommitStatus } from "../../model/check.ts";
import { latestRuns } from "../../model/checks-of.ts";
import { repositoryPath } from "../resolve/addresses.ts";
import { connection } from "../resolve/connection.ts";
import type { PageArguments } from "../resolve/connection.ts";
import { commitNamed } from "../resolve/git-objects.ts";
import type { Fields } from "../resolve/resolver.ts";

export const checkRunFields: Fields<CheckRun> = {
  id: (run) => run.nodeId,
  databaseId: (run) => run.id,
  name: (run) => run.name,
  status: (run) => run.status.toUpperCase(),
  conclusion: (run) => run.conclusion?.toUpperCase() ?? null,
  startedAt: (run) => run.startedAt,
  completedAt: (run) => run.completedAt,
  detailsUrl: (run) => run.detailsUrl,
  externalId: (run) => run.externalId,
  title: (run) => run.output.title,
  summary: (run) => run.output.summary,
  text: (run) => run.output.text,
  checkSuite: (run) => run.suite,
  repository: (run) => run.suite.repository,
  url: (run, _: unknown, { world }) => `${world.url}${runPath(run)}`,
  permalink: (run, _: unknown, { world }) => `${world.url}${runPath(run)}`,
  resourcePath: (run) => runPath(run),
};

function runPath(run: CheckRun): string {
  return `${repositoryPath(run.suite.repository)}/runs/${run.id}`;
}

export const checkSuiteFields: Fields<CheckSuite> = {
  id: (suite) => suite.nodeId,
  databaseId: (suite) => suite.id,
  app: (suite) => appView(suite.app),
  commit: (suite) => commitNamed(suite.repository, suite.headSha),
  repository: (suite) => suite.repository,
  createdAt: (suite) => suite.createdAt,
  updatedAt: (suite) => suite.updatedAt,
  checkRuns: (suite, page: PageArguments, { world }) => {
    const runs = latestRuns(world, suite.repository, suite.headSha);
    const all = runs.filter((run) => run.suite === suite);
    return connection({ name: "checkRuns", all }, page);
  },
};

function appView(app: App): unknown {
  return { id: app.nodeId, databaseId: app.id, name: app.name, slug: app.slug };
}

export const statusFields: Fields<CommitStatus> = {
  id: (status) => status.nodeId,
  context: (status) => status.context,
  state: (status) => status.state.toUpperCase(),
  description: (status) => status.description,
  targetUrl: (status) => status.targetUrl,
  createdAt: (status) => status.createdAt,
  creator: (status) => status.creator,
  commit: (status) => commitNamed(status.repository, status.sha),
};
