import type { Signature } from "../../git/history.ts";
import { pullsOf } from "../../model/find.ts";
import { rulesFor } from "../../model/requirements.ts";
import type { RuleType } from "../../model/rule.ts";
import { repositoryPath } from "../resolve/addresses.ts";
import { connection } from "../resolve/connection.ts";
import type { PageArguments } from "../resolve/connection.ts";
import { commitNamed, commitNodeId, contentOf, refNodeId } from "../resolve/git-objects.ts";
import type { CommitName, RefName } from "../resolve/git-objects.ts";
import type { Fields } from "../resolve/resolver.ts";
import { rollupOf } from "../resolve/rollup.ts";
import type { Rollup } from "../resolve/rollup.ts";

type Page = PageArguments;

export const commitFields: Fields<CommitName> = {
  id: (commit) => commitNodeId(commit),
  oid: (commit) => commit.sha,
  abbreviatedOid: (commit) => commit.sha.slice(0, 7),
  repository: (commit) => commit.repository,
  url: (commit, _: unknown, { world }) => `${world.url}${commitPath(commit)}`,
  resourcePath: (commit) => commitPath(commit),
  message: async (commit) => (await contentOf(commit)).message,
  messageHeadline: async (commit) => (await contentOf(commit)).message.split("\n", 1)[0],
  messageBody: async (commit) => {
    const { message } = await contentOf(commit);
    return message.includes("\n") ? message.slice(message.indexOf("\n")).trim() : "";
  },
  author: async (commit) => gitActor((await contentOf(commit)).author),
  committer: async (commit) => gitActor((await contentOf(commit)).committer),
  authoredDate: async (commit) => (await contentOf(commit)).author.date,
  committedDate: async (commit) => (await contentOf(commit)).committer.date,
  tree: async (commit) => {
    const { tree } = await contentOf(commit);
    return { oid: tree, abbreviatedOid: tree.slice(0, 7), repository: commit.repository };
  },
  parents: async (commit, page: Page) => {
    const { parents } = await contentOf(commit);
    const all = parents.map((sha) => commitNamed(commit.repository, sha));
    return connection({ name: "parents", all }, page);
  },
  associatedPullRequests: (commit, page: Page, { world }) => {
    const all = pullsOf(world, commit.repository).filter(
      (pull) => pull.headSha === commit.sha || pull.landing?.sha === commit.sha,
    );
    return connection({ name: "associatedPullRequests", all }, page);
  },
  statusCheckRollup: (commit, _: unknown, { world }) => rollupOf(world, commit),
};

function commitPath(commit: CommitName): string {
  return `${repositoryPath(commit.repository)}/commit/${commit.sha}`;
}

function gitActor(signature: Signature): unknown {
  return { name: signature.name, email: signature.email, date: signature.date };
}

export const rollupFields: Fields<Rollup> = {
  id: ({ commit }) => `SCR_${commitNodeId(commit)}`,
  commit: ({ commit }) => commit,
  state: ({ state }) => state,
  contexts: ({ contexts }, page: Page) => {
    const runs = contexts.filter((context) => context.kind === "check-run").length;
    return {
      ...connection({ name: "contexts", all: contexts }, page),
      checkRunCount: runs,
      statusContextCount: contexts.length - runs,
    };
  },
};

export const refFields: Fields<RefName> = {
  id: (ref) => refNodeId(ref),
  name: (ref) => ref.name.slice(prefixOf(ref).length),
  prefix: (ref) => prefixOf(ref),
  repository: (ref) => ref.repository,
  target: (ref) => {
    const sha = ref.repository.refs.get(ref.name);
    return sha === undefined ? null : commitNamed(ref.repository, sha);
  },
  branchProtectionRule: (ref, _: unknown, { token }) =>
    token.person === undefined ? null : classicProtection(ref),
  associatedPullRequests: (ref, page: Page, { world }) => {
    const all = pullsOf(world, ref.repository).filter(
      (pull) => `refs/heads/${pull.headRef}` === ref.name,
    );
    return connection({ name: "associatedPullRequests", all }, page);
  },
};

function prefixOf(ref: RefName): string {
  return /^refs\/[^/]+\//.exec(ref.name)?.[0] ?? "refs/";
}

/** Tells people of classic protection. Rulesets are told elsewhere. */
function classicProtection({ repository, name }: RefName): unknown {
  const branch = name.replace(/^refs\/heads\//, "");
  const rules = rulesFor(repository, branch).filter(({ classic }) => classic === true);
  if (rules.length === 0) return null;
  const parametersOf = (type: RuleType) => rules.find((rule) => rule.type === type)?.parameters;
  const reviews = parametersOf("pull_request");
  const checks = parametersOf("required_status_checks");
  return {
    requiresApprovingReviews: reviews !== undefined,
    requiredApprovingReviewCount: reviews?.["required_approving_review_count"] ?? null,
    requiresStatusChecks: checks !== undefined,
    requiresStrictStatusChecks: checks?.["strict_required_status_checks_policy"] === true,
  };
}
