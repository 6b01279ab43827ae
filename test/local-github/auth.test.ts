import { describe, expect, it } from "vitest";
import { at, createTown } from "./town.ts";

describe("App authentication", () => {
  it("accepts the App's JWT and refuses wrong, expired, far-dated and foreign ones with 401", async () => {
    const town = await createTown();
    const now = Math.floor(Date.now() / 1000);
    const status = async (auth?: string) =>
      (await town.ask("GET", "/app", auth === undefined ? {} : { auth })).status;
    expect(await status(town.jwt())).toBe(200);
    expect(await status(town.jwt({ iss: "Iv1.4711" }))).toBe(200);
    expect(await status(`${town.jwt().slice(0, -6)}AAAAAA`)).toBe(401);
    expect(await status(town.jwt({ exp: now - 1 }))).toBe(401);
    expect(await status(town.jwt({ exp: now + 3600 }))).toBe(401);
    expect(await status(town.jwt({ iss: "1" }))).toBe(401);
    expect(await status()).toBe(401);
    expect(await status(await town.token())).toBe(401);
  });

  it("makes an App of a manifest, once, with the state that the form was sent with", async () => {
    const town = await createTown();
    const manifest = {
      name: "Wavetrain Acme",
      url: "https://example.com",
      redirect_url: "http://127.0.0.1:1/back",
      hook_attributes: { url: "https://example.com/hook" },
      default_permissions: { issues: "write" },
    };
    const form = new URLSearchParams({ manifest: JSON.stringify(manifest) });
    const address = `${town.github.url}/organizations/acme/settings/apps/new?state=s1`;
    const sent = await fetch(address, { method: "POST", body: form, redirect: "manual" });
    const back = new URL(sent.headers.get("location") ?? "");
    expect([back.pathname, back.searchParams.get("state")]).toEqual(["/back", "s1"]);
    const path = `/app-manifests/${back.searchParams.get("code") ?? ""}/conversions`;
    const made = await town.ask("POST", path);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ slug: "wavetrain-acme", owner: { login: "acme" } });
    expect(at(made.body, "pem")).toMatch(/BEGIN RSA PRIVATE KEY/);
    expect((await town.ask("POST", path)).status).toBe(404);
    expect((await town.ask("GET", "/app", { auth: town.jwt() })).status).toBe(401);
  });

  it("refuses a version of the API that it does not know", async () => {
    const town = await createTown();
    const status = async (version: string) => {
      const headers = { "x-github-api-version": version, authorization: `Bearer ${town.jwt()}` };
      return (await fetch(`${town.github.url}/app`, { headers })).status;
    };
    expect([await status("2022-11-28"), await status("2019-01-01")]).toEqual([200, 400]);
  });

  it("tells the number of the App's own account to installations, and to no JWT", async () => {
    const town = await createTown();
    const { bot } = town.github.world.app;
    const path = `/users/${encodeURIComponent(bot.login)}`;
    expect((await town.call("GET", path)).body).toMatchObject({ id: bot.id, type: "Bot" });
    expect((await town.ask("GET", path, { auth: town.jwt() })).status).not.toBe(200);
    expect((await town.call("GET", "/users/nobody-here")).status).toBe(404);
  });

  it("gives a suspended installation no token, and tells it nothing", async () => {
    const town = await createTown();
    await town.github.deliverySettled();
    const before = town.names().length;
    town.github.suspend(town.installation);
    town.github.as("alice").openIssue({ repo: town.app, title: "unheard" });
    await town.github.deliverySettled();
    expect(town.names()).toHaveLength(before);
    const path = `/app/installations/${town.installation.id}/access_tokens`;
    expect((await town.ask("POST", path, { auth: town.jwt() })).status).toBe(403);
  });

  it("mints tokens of an hour that are never wider than the installation", async () => {
    const town = await createTown();
    const path = `/app/installations/${town.installation.id}/access_tokens`;
    const mint = async (body: unknown) => town.ask("POST", path, { auth: town.jwt(), body });
    const narrow = await mint({ repositories: ["app"], permissions: { contents: "read" } });
    expect(narrow.body).toMatchObject({
      permissions: { contents: "read", metadata: "read" },
      repository_selection: "selected",
    });
    const life = Date.parse(String(at(narrow.body, "expires_at"))) - Date.now();
    expect(life / 60_000).toBeGreaterThan(58);
    expect(life / 60_000).toBeLessThanOrEqual(60);
    expect((await mint({ permissions: { administration: "read" } })).status).toBe(422);
    expect((await mint({ permissions: { issues: "admin" } })).status).toBe(422);
    expect((await mint({ repositories: ["unknown"] })).status).toBe(422);
  });

  it("answers 403 with the permissions that would do when a token lacks them", async () => {
    const town = await createTown();
    const auth = await town.token({ permissions: { issues: "read" } });
    const body = { title: "no" };
    const reply = await town.ask("POST", "/repos/acme/app/issues", { auth, body });
    expect(reply.status).toBe(403);
    expect(reply.body).toMatchObject({ message: "Resource not accessible by integration" });
    expect(reply.headers.get("x-accepted-github-permissions")).toBe("issues=write");
    expect((await town.ask("GET", "/repos/acme/app/issues", { auth })).status).toBe(200);
  });

  it("hides a private repository that the token does not cover behind 404", async () => {
    const town = await createTown();
    await town.github.addRepository({ owner: "acme", name: "other", from: { a: "a" } });
    await town.github.addRepository({
      owner: "acme",
      name: "open",
      from: { a: "a" },
      isPrivate: false,
    });
    const auth = await town.token({ repositories: ["app"] });
    const status = async (method: string, path: string) =>
      (await town.ask(method, path, { auth, body: method === "GET" ? undefined : { title: "x" } }))
        .status;
    expect(await status("GET", "/repos/acme/app")).toBe(200);
    expect(await status("GET", "/repos/acme/other")).toBe(404);
    expect(await status("GET", "/repos/acme/open")).toBe(200);
    expect(await status("POST", "/repos/acme/open/issues")).toBe(403);
    expect(await status("GET", "/repos/acme/nowhere")).toBe(404);
    const listed = await town.ask("GET", "/installation/repositories", { auth });
    expect(listed.body).toMatchObject({ total_count: 1, repositories: [{ name: "app" }] });
  });

  it("refuses a token once it has expired", async () => {
    const town = await createTown();
    const auth = await town.token();
    expect((await town.ask("GET", "/repos/acme/app", { auth })).status).toBe(200);
    town.github.faults.expireTokens(town.github.world);
    const reply = await town.ask("GET", "/repos/acme/app", { auth });
    expect(reply.status).toBe(401);
    expect(reply.body).toMatchObject({ message: "Bad credentials" });
    expect((await town.ask("GET", "/repos/acme/app")).status).toBe(401);
  });

  it("forgets a token that was revoked", async () => {
    const town = await createTown();
    const auth = await town.token();
    expect((await town.ask("DELETE", "/installation/token", { auth })).status).toBe(204);
    expect((await town.ask("GET", "/repos/acme/app", { auth })).status).toBe(401);
  });

  it("finds the installation of a repository and of an organization", async () => {
    const town = await createTown();
    const auth = town.jwt();
    const id = { id: town.installation.id };
    expect((await town.ask("GET", "/app/installations", { auth })).body).toMatchObject([id]);
    for (const path of ["/repos/acme/app/installation", "/orgs/acme/installation"]) {
      expect((await town.ask("GET", path, { auth })).body).toMatchObject(id);
    }
    expect((await town.ask("GET", "/app/installations/1", { auth })).status).toBe(404);
  });
});

describe("addresses", () => {
  it("serves the API at the root and below /api/v3, GraphQL at /graphql and /api/graphql", async () => {
    const town = await createTown();
    const auth = await town.token();
    expect((await town.ask("GET", "/api/v3/repos/acme/app", { auth })).status).toBe(200);
    const body = { query: "{ viewer { login } }" };
    for (const path of ["/graphql", "/api/graphql"]) {
      const reply = await town.ask("POST", path, { auth, body });
      expect(reply.body).toEqual({ data: { viewer: { login: "wavetrain[bot]" } } });
    }
    expect((await town.ask("POST", "/graphql", { body })).status).toBe(401);
  });

  it("serves the API below /api/v3 and at /api/graphql alone as an enterprise server", async () => {
    const town = await createTown({ enterprise: true });
    const [JWT, body] = [town.jwt(), { query: "{ viewer { login } }" }];
    expect((await town.ask("GET", "/api/v3/app", { auth: JWT })).status).toBe(200);
    expect((await town.ask("GET", "/app", { auth: JWT })).status).toBe(404);
    expect((await town.ask("POST", "/api/graphql", { body })).status).toBe(401);
    expect((await town.ask("POST", "/graphql", { body })).status).toBe(404);
  });
});
