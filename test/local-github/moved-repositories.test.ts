import { describe, expect, it } from "vitest";
import { branchSha } from "../../local-github/model/repository.ts";
import { at, createTown } from "./town.ts";
import type { Town } from "./town.ts";

async function failure(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "it worked",
    (error: unknown) => String(error),
  );
}

async function payload(town: Town, event: string): Promise<unknown> {
  await town.github.deliverySettled();
  return town.heard.find((one) => one.event === event)?.payload;
}

function query(town: Town, text: string): Promise<{ readonly body: unknown }> {
  return town.call("POST", "/graphql", { query: text });
}

describe("a repository that is renamed", () => {
  it("keeps its number, tells its new name, and is found by the old one", async () => {
    const town = await createTown();
    const { id, nodeId } = town.app;
    town.github.as("alice").renameRepository(town.app, "tool");
    expect(await payload(town, "repository")).toMatchObject({
      action: "renamed",
      changes: { repository: { name: { from: "app" } } },
      repository: { id, node_id: nodeId, full_name: "acme/tool" },
      organization: { login: "acme" },
    });
    const asked = await town.call("GET", "/repos/acme/app");
    expect(asked.body).toMatchObject({ id, full_name: "acme/tool" });
    const bare = await fetch(`${town.github.url}/repos/acme/app/issues?state=all`, {
      redirect: "manual",
      headers: { authorization: `Bearer ${await town.token()}` },
    });
    const place = `${town.github.url}/repositories/${id}/issues?state=all`;
    expect([bare.status, bare.headers.get("location")]).toEqual([301, place]);
    const named = await query(town, `{ repository(owner: "acme", name: "app") { nameWithOwner } }`);
    expect(at(named.body, "data", "repository", "nameWithOwner")).toBe("acme/tool");
  });

  it("takes writes by the old name, and tells nobody of it who may not see it", async () => {
    const town = await createTown();
    town.github.as("alice").renameRepository(town.app, "tool");
    const made = await town.call("POST", "/repos/acme/app/issues", { title: "New" });
    expect([made.status, at(made.body, "title")]).toEqual([201, "New"]);
    await town.github.addRepository({ owner: "acme", name: "other" });
    const narrow = await town.token({ repositories: ["other"] });
    expect((await town.ask("GET", "/repos/acme/app", { auth: narrow })).status).toBe(404);
  });

  it("is fetched from and pushed to at the old address", async () => {
    const town = await createTown();
    const remote = town.remote(await town.token());
    const folder = await town.scratch();
    await town.git(folder, "clone", "-q", remote, ".");
    town.github.as("alice").renameRepository(town.app, "tool");
    await town.git(folder, "fetch", "-q", "origin");
    await town.git(folder, "push", "-q", "origin", "main:work");
    expect(branchSha(town.app, "work")).toBe(branchSha(town.app, "main"));
  });

  it("is not found by the old name any more once another repository has it", async () => {
    const town = await createTown();
    const { id } = town.app;
    town.github.as("alice").renameRepository(town.app, "tool");
    const next = await town.github.addRepository({ owner: "acme", name: "app", from: { a: "a" } });
    expect((await town.call("GET", "/repos/acme/app")).body).toMatchObject({ id: next.id });
    expect((await town.call("GET", "/repos/acme/tool")).body).toMatchObject({ id });
    expect((await town.call("GET", `/repositories/${id}`)).body).toMatchObject({ id });
    expect(() => town.github.as("alice").renameRepository(town.app, "app")).toThrow();
  });
});

describe("a repository that is transferred", () => {
  it("goes to the new owner's installation, which alone hears of it", async () => {
    const town = await createTown();
    town.github.addOrganization("globex");
    town.github.as("alice").transferRepository(town.app, "globex");
    expect(await payload(town, "repository")).toBeUndefined();
    expect((await town.call("GET", "/repos/acme/app")).status).toBe(404);
    const remote = town.remote(await town.token());
    expect(await failure(town.git(await town.scratch(), "ls-remote", remote))).toContain(
      "not found",
    );
  });

  it("tells where it came from", async () => {
    const town = await createTown();
    town.github.addOrganization("globex");
    const permissions = { contents: "read" } as const;
    town.github.installApp({ account: "globex", permissions, events: ["repository"] });
    town.github.as("alice").transferRepository(town.app, "globex");
    expect(await payload(town, "repository")).toMatchObject({
      action: "transferred",
      changes: { owner: { from: { organization: { login: "acme" } } } },
      repository: { full_name: "globex/app" },
    });
  });
});

describe("an organization that is renamed", () => {
  it("tells every App that is installed there, and its repositories are found by their old names", async () => {
    const town = await createTown();
    const { account } = town.installation;
    if (account.kind !== "organization") throw new Error("it belongs to a person");
    town.github.as("alice").renameOrganization(account, "apex");
    expect(await payload(town, "installation_target")).toMatchObject({
      action: "renamed",
      account: { login: "apex" },
      changes: { login: { from: "acme" } },
      target_type: "Organization",
    });
    expect((await town.call("GET", "/repos/acme/app")).body).toMatchObject({
      full_name: "apex/app",
    });
  });
});

describe("an App that is uninstalled", () => {
  it("hears of it, has no token any more, and is another installation when it comes back", async () => {
    const town = await createTown();
    const before = await town.token();
    town.github.as("alice").uninstall(town.installation);
    expect(await payload(town, "installation")).toMatchObject({ action: "created" });
    expect(town.names()).toContain("installation.deleted");
    expect((await town.ask("GET", "/repos/acme/app", { auth: before })).status).toBe(401);
    const again = town.github.installApp({ account: "acme", permissions: {}, events: [] });
    expect(again.id).not.toBe(town.installation.id);
  });
});

describe("a link between issues of two repositories", () => {
  it("is told to each side in its own repository", async () => {
    const town = await createTown();
    const other = await town.github.addRepository({
      owner: "acme",
      name: "other",
      roles: { alice: "admin" },
    });
    const alice = town.github.as("alice");
    const [parent, child] = [
      alice.openIssue({ repo: town.app, title: "parent" }),
      alice.openIssue({ repo: other, title: "child" }),
    ];
    alice.adopt(parent, child);
    alice.block(child, parent);
    await town.github.deliverySettled();
    const told = town.heard
      .filter(({ event }) => event === "sub_issues" || event === "issue_dependencies")
      .map(({ payload: { action, repository } }) => [action, at(repository, "name")]);
    expect(new Set(told.map((one) => one.join(" ")))).toEqual(
      new Set([
        "sub_issue_added app",
        "parent_issue_added other",
        "blocked_by_added other",
        "blocking_added app",
      ]),
    );
  });
});
