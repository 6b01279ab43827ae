import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it, onTestFinished } from "vitest";
import { at, createTown } from "./town.ts";

const REPO = "/repos/acme/app";

describe("contents", () => {
  it("show a file of the default branch or of a ref, as base64 or raw", async () => {
    const town = await createTown();
    const files = { ".github/wavetrain.yml": "slots: 2\n" };
    await town.github.as("bob").push(town.app, "work", { files, message: "config" });
    const path = `${REPO}/contents/.github/wavetrain.yml`;
    expect((await town.call("GET", path)).status).toBe(404);
    const found = await town.call("GET", `${path}?ref=work`);
    const text = Buffer.from(String(at(found.body, "content")), "base64").toString();
    expect(text).toBe("slots: 2\n");
    const raw = await town.ask("GET", `${path}?ref=work`, {
      auth: await town.token(),
      headers: { accept: "application/vnd.github.v3.raw" },
    });
    expect(raw.body).toBe("slots: 2\n");
    // Clients read it as text by the charset.
    expect(raw.headers.get("content-type")).toContain("charset=utf-8");
    expect((await town.call("GET", `${REPO}/contents/src?ref=main`)).status).toBe(404);
  });
});

describe("collaborators", () => {
  it("have the permission of their role", async () => {
    const town = await createTown();
    town.app.roles.set("rita", "triage");
    const permission = async (login: string) =>
      (await town.call("GET", `${REPO}/collaborators/${login}/permission`)).body;
    expect(await permission("alice")).toMatchObject({ permission: "admin", role_name: "admin" });
    expect(await permission("rita")).toMatchObject({ permission: "read", role_name: "triage" });
    town.github.addUser("stranger");
    expect(await permission("stranger")).toMatchObject({ permission: "none" });
    expect(at(await permission("nobody"), "message")).toBe("nobody is not a user");
  });
});

describe("people", () => {
  it("do only what their role allows", async () => {
    const town = await createTown();
    const rita = town.github.as("rita");
    const issue = rita.openIssue({ repo: town.app, title: "mine" });
    const other = town.github.as("alice").openIssue({ repo: town.app, title: "hers" });
    rita.editIssue(issue, { body: "more" });
    expect(() => rita.editIssue(other, { body: "no" })).toThrow("needs the role write");
    expect(() => rita.label(issue, "x")).toThrow("needs the role triage");
    const push = rita.push(town.app, "work", { files: { a: "a" }, message: "a" });
    await expect(push).rejects.toThrow("needs the role write");
    expect(() => town.github.as("nobody")).toThrow("there is no nobody here");
  });
});

describe("a repository copied from a local one", () => {
  it("has its branches, and leaves the original as it was", async () => {
    const original = await mkdtemp(join(tmpdir(), "original-"));
    onTestFinished(async () => rm(original, { recursive: true, force: true }));
    const git = async (...args: string[]) =>
      execa("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
        cwd: original,
      });
    await git("init", "-q", "-b", "trunk");
    await writeFile(join(original, "a.txt"), "a\n");
    await git("add", ".");
    await git("commit", "-q", "-m", "first");
    await git("branch", "side");
    await writeFile(join(original, "untracked"), "kept\n");
    const before = (await git("for-each-ref")).stdout;
    const town = await createTown();
    const copy = await town.github.addRepository({
      owner: "acme",
      name: "copy",
      from: original,
      roles: { alice: "write" },
    });
    expect(copy.defaultBranch).toBe("trunk");
    expect([...copy.refs.keys()]).toEqual(["refs/heads/side", "refs/heads/trunk"]);
    await town.github.as("alice").push(copy, "trunk", { files: { b: "b" }, message: "b" });
    expect((await git("for-each-ref")).stdout).toBe(before);
    expect((await readdir(original)).toSorted()).toEqual([".git", "a.txt", "untracked"]);
  });
});
