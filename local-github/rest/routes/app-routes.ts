import { convertManifest } from "../../actions/app-manifests.ts";
import { mintToken, tokenRepositories } from "../../actions/installations.ts";
import type { TokenRequest } from "../../actions/installations.ts";
import { clientId } from "../../model/app.ts";
import type { Installation, Permissions } from "../../model/app.ts";
import { findOrganization, findRepository, findUser, repositoriesOf } from "../../model/find.ts";
import { notFound, Problem } from "../../model/problem.ts";
import { given, objectBody, optionalIntegers, optionalTexts } from "../request/body.ts";
import { listAnswer, page } from "../request/pages.ts";
import type { Answer, RestCall, Route } from "../request/route.ts";
import { appView, installationView, tokenView } from "../view/app.ts";
import { publicUserView } from "../view/account.ts";
import { repositoryView } from "../view/repository.ts";

export const APP_ROUTES: readonly Route[] = [
  {
    for: "app",
    method: "GET",
    template: "/app",
    answer: ({ world }) => ({ status: 200, body: appView(world, world.app) }),
  },
  {
    for: "app",
    method: "GET",
    template: "/app/installations",
    answer: (call) =>
      listAnswer(call, call.world.installations, (one) => installationView(call.world, one)),
  },
  {
    for: "app",
    method: "GET",
    template: "/app/installations/{installation_id}",
    answer: (call) => installationAnswer(call, installationIn(call)),
  },
  {
    for: "app",
    method: "POST",
    template: "/app/installations/{installation_id}/access_tokens",
    answer: createToken,
  },
  {
    for: "app",
    method: "GET",
    template: "/repos/{owner}/{repo}/installation",
    answer: (call) => installationAnswer(call, installationOfRepository(call)),
  },
  {
    for: "app",
    method: "GET",
    template: "/orgs/{org}/installation",
    answer: (call) => installationAnswer(call, installationOfOrganization(call)),
  },
  {
    for: "installation",
    method: "GET",
    template: "/installation/repositories",
    answer: (call) => {
      const all = tokenRepositories(call.world, call.token);
      const { items, headers } = page(call, all, (one) => repositoryView(call.world, one));
      return { status: 200, headers, body: { total_count: all.length, repositories: items } };
    },
  },
  {
    for: "installation",
    method: "DELETE",
    template: "/installation/token",
    answer: ({ world, token }) => {
      world.tokens.delete(token.token);
      return { status: 204 };
    },
  },
  {
    for: "installation",
    method: "GET",
    template: "/users/{username}",
    answer: ({ world, params }) => {
      const user = findUser(world, params["username"] ?? "");
      if (user === undefined) throw notFound();
      return { status: 200, body: publicUserView(world, user) };
    },
  },
  // This is the only answer that tells an App's secrets.
  {
    for: "anyone",
    method: "POST",
    template: "/app-manifests/{code}/conversions",
    answer: ({ world, params }) => {
      const made = convertManifest(world, params["code"] ?? "");
      if (made === undefined) throw notFound();
      const { app, pem, clientSecret } = made;
      const secrets = { client_id: clientId(app), client_secret: clientSecret, pem };
      const body = { ...appView(world, app), ...secrets, webhook_secret: app.webhookSecret };
      return { status: 201, body };
    },
  },
];

function installationAnswer(call: RestCall, installation: Installation | undefined): Answer {
  if (installation === undefined) throw notFound();
  return { status: 200, body: installationView(call.world, installation) };
}

function installationIn({ world, params }: RestCall): Installation | undefined {
  return world.installations.find(({ id }) => String(id) === params["installation_id"]);
}

function installationOfRepository({ world, params }: RestCall): Installation | undefined {
  const repository = findRepository(world, `${params["owner"] ?? ""}/${params["repo"] ?? ""}`);
  return world.installations.find(
    (installation) =>
      repository !== undefined && repositoriesOf(world, installation).includes(repository),
  );
}

function installationOfOrganization({ world, params }: RestCall): Installation | undefined {
  const organization = findOrganization(world, params["org"] ?? "");
  return world.installations.find(({ account }) => account === organization);
}

function createToken(call: RestCall): Answer {
  const installation = installationIn(call);
  if (installation === undefined) throw notFound();
  const token = mintToken(call.world, installation, {
    ...tokenRequest(call.body),
    lifetimeMs: call.faults.tokenLifetimeMs,
  });
  return { status: 201, body: tokenView(call.world, token) };
}

function tokenRequest(body: unknown): TokenRequest {
  const { permissions } = objectBody(body);
  return {
    ...given("repositories", optionalTexts(body, "repositories")),
    ...given("repositoryIds", optionalIntegers(body, "repository_ids")),
    ...(permissions === undefined ? {} : { permissions: permissionsOf(permissions) }),
  };
}

function permissionsOf(value: unknown): Permissions {
  const levels = Object.entries(objectBody(value)).map(([name, level]) => {
    if (level === "read" || level === "write" || level === "admin") return [name, level] as const;
    throw new Problem(422, `Invalid request.\n\nFor 'permissions/${name}', expected a level.`);
  });
  return Object.fromEntries(levels);
}
