import { changeRefs } from "../../actions/pulls/change-refs.ts";
import { grants } from "../../auth/permission.ts";
import { hasCommit } from "../../git/history.ts";
import { isValidRefName } from "../../git/refs.ts";
import { notFound, Problem } from "../../model/problem.ts";
import type { Repository } from "../../model/repository.ts";
import type { World } from "../../model/world.ts";
import { optionalBoolean, requiredText } from "../request/body.ts";
import { listAnswer } from "../request/pages.ts";
import { repoRoute } from "../request/route.ts";
import type { Answer, RepoCall, Route } from "../request/route.ts";
import { repositoryApi } from "../view/repository.ts";

export const REF_ROUTES: readonly Route[] = [
  repoRoute("GET", "/git/ref/{ref}", { needs: "contents=read", answer: get }),
  repoRoute("GET", "/git/matching-refs/{ref}", { needs: "contents=read", answer: listMatching }),
  repoRoute("POST", "/git/refs", { needs: "contents=write", answer: create }),
  repoRoute("PATCH", "/git/refs/{ref}", { needs: "contents=write", answer: update }),
  repoRoute("DELETE", "/git/refs/{ref}", { needs: "contents=write", answer: remove }),
];

function get(call: RepoCall): Answer {
  const name = refName(call);
  const sha = call.repository.refs.get(name);
  if (sha === undefined) throw notFound();
  return { status: 200, body: refView(call.world, call.repository, { name, sha }) };
}

function listMatching(call: RepoCall): Answer {
  const prefix = refName(call);
  const matching = [...call.repository.refs].filter(([name]) => name.startsWith(prefix));
  return listAnswer(call, matching, ([name, sha]) =>
    refView(call.world, call.repository, { name, sha }),
  );
}

function refName({ params }: RepoCall): string {
  return `refs/${params["ref"] ?? ""}`;
}

async function create(call: RepoCall): Promise<Answer> {
  const { world, repository, actor } = call;
  const name = requiredText(call.body, "ref");
  const sha = requiredText(call.body, "sha");
  if (
    !/^refs\/.+\/.+|^refs\/heads\/.+/.test(name) ||
    !(await isValidRefName(repository.dir, name))
  ) {
    throw new Problem(422, "Reference name must start with 'refs/' and be well formed");
  }
  await refuseUnknown(call, sha);
  if (repository.refs.has(name)) throw new Problem(422, "Reference already exists");
  await changeRefs(world, repository, {
    changes: [{ name, before: null, after: sha }],
    actor,
    noWorkflows: !grants(call.token, "workflows=write"),
  });
  return { status: 201, body: refView(world, repository, { name, sha }) };
}

async function update(call: RepoCall): Promise<Answer> {
  const { world, repository, actor } = call;
  const name = refName(call);
  const sha = requiredText(call.body, "sha");
  const force = optionalBoolean(call.body, "force") ?? false;
  refuseMissing(call, name);
  await refuseUnknown(call, sha);
  await changeRefs(world, repository, {
    changes: [{ name, after: sha, force }],
    actor,
    noWorkflows: !grants(call.token, "workflows=write"),
  });
  return { status: 200, body: refView(world, repository, { name, sha }) };
}

async function remove(call: RepoCall): Promise<Answer> {
  const name = refName(call);
  refuseMissing(call, name);
  const changes = [{ name, after: null }];
  await changeRefs(call.world, call.repository, { changes, actor: call.actor });
  return { status: 204 };
}

function refuseMissing({ repository }: RepoCall, name: string): void {
  if (!repository.refs.has(name)) throw new Problem(422, "Reference does not exist");
}

async function refuseUnknown({ repository }: RepoCall, sha: string): Promise<void> {
  const known = /^[0-9a-f]{40}$/.test(sha) && (await hasCommit(repository.dir, sha));
  if (!known) throw new Problem(422, "Object does not exist");
}

function refView(
  world: World,
  repository: Repository,
  { name, sha }: { readonly name: string; readonly sha: string },
) {
  const api = repositoryApi(world, repository);
  return {
    ref: name,
    node_id: `REF_${Buffer.from(`${repository.id}:${name}`).toString("base64url")}`,
    url: `${api}/git/${name}`,
    object: { sha, type: "commit", url: `${api}/git/commits/${sha}` },
  };
}
