import { readCommit } from "../../git/history.ts";
import { readFile } from "../../git/read-file.ts";
import type { Role, User } from "../../model/account.ts";
import { findUser, roleOf } from "../../model/find.ts";
import { notFound, Problem } from "../../model/problem.ts";
import { branchSha, fullName } from "../../model/repository.ts";
import type { Repository } from "../../model/repository.ts";
import { requiredChecks, rulesFor } from "../../model/requirements.ts";
import { listAnswer } from "../request/pages.ts";
import { diffAnswer } from "../request/diff-answer.ts";
import { shaOf } from "../request/revision.ts";
import { repoRoute } from "../request/route.ts";
import type { Answer, RepoCall, Route } from "../request/route.ts";
import { accountView } from "../view/account.ts";
import { commitView } from "../view/commit.ts";
import { fullRepositoryView, repositoryApi, repositoryPage } from "../view/repository.ts";

export const REPOSITORY_ROUTES: readonly Route[] = [
  repoRoute("GET", "", {
    needs: "metadata=read",
    answer: ({ world, repository }) => ({
      status: 200,
      body: fullRepositoryView(world, repository),
    }),
  }),
  repoRoute("GET", "/contents/{path}", { needs: "contents=read", answer: getContents }),
  repoRoute("GET", "/readme", {
    needs: "contents=read",
    answer: (call) => getContents({ ...call, params: { ...call.params, path: "README.md" } }),
  }),
  repoRoute("GET", "/collaborators/{username}/permission", {
    needs: "metadata=read",
    answer: getPermission,
  }),
  repoRoute("GET", "/branches", { needs: "contents=read", answer: listBranches }),
  repoRoute("GET", "/branches/{branch}", { needs: "contents=read", answer: getBranch }),
  repoRoute("GET", "/commits/{ref}", { needs: "contents=read", answer: getCommit }),
  repoRoute("GET", "/rules/branches/{branch}", { needs: "metadata=read", answer: listRules }),
];

async function getContents(call: RepoCall): Promise<Answer> {
  const { world, repository, params } = call;
  const path = params["path"] ?? "";
  const ref = call.url.searchParams.get("ref") ?? repository.defaultBranch;
  const sha = await shaOf(repository, ref);
  const file = sha === undefined ? undefined : await readFile(repository.dir, sha, path);
  if (file === undefined) throw notFound();
  if (/\braw\b/.test(call.accept)) return { status: 200, raw: file.content };
  const page = `${repositoryPage(world, repository)}/blob/${ref}/${path}`;
  const self = `${repositoryApi(world, repository)}/contents/${path}?ref=${ref}`;
  const git = `${repositoryApi(world, repository)}/git/blobs/${file.sha}`;
  const body = {
    type: "file",
    encoding: "base64",
    size: file.content.length,
    name: path.split("/").at(-1) ?? "",
    path,
    content: file.content.toString("base64"),
    sha: file.sha,
    url: self,
    git_url: git,
    html_url: page,
    download_url: page.replace("/blob/", "/raw/"),
    _links: { self, git, html: page },
  };
  return { status: 200, body };
}

function getPermission({ world, repository, params }: RepoCall): Answer {
  const user = findUser(world, params["username"] ?? "");
  if (user === undefined) throw new Problem(404, `${params["username"] ?? ""} is not a user`);
  const role = roleOf(repository, user);
  const permission = coarse(role);
  const body = { permission, role_name: role, user: collaborator(world, user, role) };
  return { status: 200, body };
}

/** Names one of the old four levels: triage counts as read, maintain as write. */
function coarse(role: Role): string {
  if (role === "triage") return "read";
  return role === "maintain" ? "write" : role;
}

function collaborator(world: RepoCall["world"], user: User, role: Role) {
  const order: readonly Role[] = ["none", "read", "triage", "write", "maintain", "admin"];
  const atLeast = (wanted: Role) => order.indexOf(role) >= order.indexOf(wanted);
  return {
    ...accountView(world, user),
    role_name: role,
    permissions: {
      pull: atLeast("read"),
      triage: atLeast("triage"),
      push: atLeast("write"),
      maintain: atLeast("maintain"),
      admin: atLeast("admin"),
    },
  };
}

function listBranches(call: RepoCall): Answer {
  const { repository, world } = call;
  const branches = [...repository.refs].filter(([name]) => name.startsWith("refs/heads/"));
  return listAnswer(call, branches, ([ref, sha]) => {
    const name = ref.slice("refs/heads/".length);
    const url = `${repositoryApi(world, repository)}/commits/${sha}`;
    return { name, commit: { sha, url }, protected: isProtected(repository, name) };
  });
}

function isProtected(repository: Repository, branch: string): boolean {
  return rulesFor(repository, branch).length > 0;
}

async function getBranch({ world, repository, params }: RepoCall): Promise<Answer> {
  const name = params["branch"] ?? "";
  const sha = branchSha(repository, name);
  const commit = sha === undefined ? undefined : await readCommit(repository.dir, sha);
  if (commit === undefined) throw new Problem(404, "Branch not found");
  const self = `${repositoryApi(world, repository)}/branches/${name}`;
  const body = {
    name,
    commit: commitView(world, repository, commit),
    _links: { html: `${repositoryPage(world, repository)}/tree/${name}`, self },
    protected: isProtected(repository, name),
    protection: protection(repository, name),
    protection_url: `${self}/protection`,
  };
  return { status: 200, body };
}

/** Tells of classic protection alone: the rules of rulesets are told by their own route. */
function protection(repository: Repository, branch: string) {
  const rules = rulesFor(repository, branch).filter(({ classic }) => classic === true);
  const required = rules.find(({ type }) => type === "required_status_checks");
  const checks = required === undefined ? [] : requiredChecks(required);
  const level = required?.sparesAdmins === true ? "non_admins" : "everyone";
  return {
    enabled: rules.length > 0,
    required_status_checks: {
      enforcement_level: required === undefined ? "off" : level,
      contexts: checks.map(({ context }) => context),
      checks: checks.map((check) => ({
        context: check.context,
        app_id: check.integration_id ?? null,
      })),
    },
  };
}

async function getCommit(call: RepoCall): Promise<Answer> {
  const { world, repository, params } = call;
  const sha = await shaOf(repository, params["ref"] ?? "");
  const commit = sha === undefined ? undefined : await readCommit(repository.dir, sha);
  if (commit === undefined)
    throw new Problem(422, `No commit found for SHA: ${params["ref"] ?? ""}`);
  const diff = await diffAnswer(call, null, commit.sha);
  return diff ?? { status: 200, body: commitView(world, repository, commit) };
}

function listRules(call: RepoCall): Answer {
  const { repository } = call;
  const rules = rulesFor(repository, call.params["branch"] ?? "");
  const told = rules.filter(({ classic }) => classic !== true);
  return listAnswer(call, told, (rule) => ({
    type: rule.type,
    ...(rule.parameters === undefined ? {} : { parameters: rule.parameters }),
    ruleset_source_type: "Repository",
    ruleset_source: fullName(repository),
    ruleset_id: rule.rulesetId,
  }));
}
