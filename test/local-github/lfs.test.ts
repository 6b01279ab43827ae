import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keepObject, nameOf, pointerTo } from "../../local-github/lfs/objects.ts";
import { branchSha } from "../../local-github/model/repository.ts";
import { at, createTown } from "./town.ts";
import type { Reply, Town } from "./town.ts";

const CONTENT = Buffer.from("a picture\n");
const BATCH = "/acme/app.git/info/lfs/objects/batch";
const TYPE = "application/vnd.git-lfs+json";

interface Ask {
  readonly path?: string;
  readonly auth?: string | undefined;
  readonly accept?: string;
}

async function ask(town: Town, body: unknown, options: Ask = {}): Promise<Reply> {
  const { path = BATCH, auth = await town.token(), accept = TYPE } = options;
  const basic = Buffer.from(`x-access-token:${auth}`).toString("base64");
  const response = await fetch(`${town.github.url}${path}`, {
    method: "POST",
    headers: {
      "content-type": TYPE,
      accept,
      ...(auth !== "" && { authorization: `Basic ${basic}` }),
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

function batch(operation: string, content = CONTENT) {
  return { operation, transfers: ["basic"], objects: [nameOf(content)] };
}

async function pushPointer(town: Town, branch: string): Promise<string> {
  const dir = await town.scratch();
  await town.git(dir, "clone", "-q", town.remote(await town.token()), ".");
  await writeFile(join(dir, "logo.psd"), pointerTo(CONTENT));
  await town.git(dir, "add", ".");
  await town.git(dir, "commit", "-q", "-m", "a pointer");
  return town.git(dir, "push", "origin", `HEAD:refs/heads/${branch}`).then(
    () => "it worked",
    (error: unknown) => String(error),
  );
}

describe("Git LFS", () => {
  it("takes an object by an address that needs no token, and says afterwards that it has it", async () => {
    const town = await createTown();
    const asked = await ask(town, batch("upload"));
    expect(asked.status).toBe(200);
    expect(asked.headers.get("content-type")).toContain(TYPE);
    const { upload, verify } = at(asked.body, "objects", 0, "actions") as Actions;
    const put = async (body: Buffer, headers = {}) =>
      (await fetch(upload.href, { method: "PUT", body: new Uint8Array(body), headers })).status;
    const verified = async () =>
      (await fetch(verify.href, { method: "POST", headers: verify.header })).status;
    expect(await verified()).toBe(404);
    expect(await put(CONTENT, { authorization: `Bearer ${await town.token()}` })).toBe(400);
    expect(await put(Buffer.from("another"))).toBe(400);
    expect(await put(CONTENT)).toBe(200);
    expect(await verified()).toBe(200);
    expect((await fetch(verify.href, { method: "POST" })).status).toBe(400);
    const again = await ask(town, batch("upload"));
    expect(at(again.body, "objects", 0)).toEqual(nameOf(CONTENT));
  });

  it("gives an object by an address that lives for an hour", async () => {
    let now = Date.now();
    const town = await createTown({ now: () => now });
    await keepObject(town.app, CONTENT);
    const asked = await ask(town, batch("download"));
    const { href } = at(asked.body, "objects", 0, "actions", "download") as Action;
    expect(await (await fetch(href)).text()).toBe("a picture\n");
    now += 3_601_000;
    expect((await fetch(href)).status).toBe(403);
  });

  it("tells what is wrong with one object beside it, and answers for the others", async () => {
    const town = await createTown();
    await keepObject(town.app, CONTENT);
    const [known, unknown] = [nameOf(CONTENT), nameOf(Buffer.from("nobody has it"))];
    const odd = { oid: "x", size: 1 };
    const { status, body } = await ask(town, {
      operation: "download",
      objects: [unknown, odd, known],
    });
    expect(status).toBe(200);
    expect(at(body, "objects", 0, "error")).toEqual({
      code: 404,
      message: "Object does not exist on the server",
    });
    expect(at(body, "objects", 1, "error", "code")).toBe(422);
    expect(at(body, "objects", 2, "actions")).toHaveProperty("download");
    const large = { operation: "upload", objects: [{ ...unknown, size: 2 ** 31 + 1 }] };
    expect(at((await ask(town, large)).body, "objects", 0, "error", "code")).toBe(422);
  });

  it("needs contents to be read, and written for an upload and for locks", async () => {
    const town = await createTown();
    const reading = await town.token({ permissions: { contents: "read" } });
    const without = await town.token({ permissions: { issues: "write" } });
    const statusOf = async (body: unknown, options: Ask) => (await ask(town, body, options)).status;
    expect(await statusOf(batch("download"), { auth: reading })).toBe(200);
    expect(await statusOf(batch("upload"), { auth: reading })).toBe(403);
    expect(await statusOf(batch("download"), { auth: without })).toBe(403);
    const nobody = await ask(town, batch("download"), { auth: "" });
    expect(nobody.status).toBe(401);
    expect(nobody.headers.get("lfs-authenticate")).toContain("Basic");
    expect(await statusOf(batch("download"), { auth: "wrong" })).toBe(401);
    const path = "/acme/none.git/info/lfs/objects/batch";
    expect(await statusOf(batch("download"), { path })).toBe(404);
    const locks = "/acme/app.git/info/lfs/locks/verify";
    expect(await statusOf({}, { path: locks, auth: reading })).toBe(403);
    expect((await ask(town, {}, { path: locks })).body).toEqual({ ours: [], theirs: [] });
  });

  it("refuses what is no batch", async () => {
    const town = await createTown();
    expect((await ask(town, batch("take"))).status).toBe(422);
    expect((await ask(town, { operation: "download" })).status).toBe(422);
    expect((await ask(town, { ...batch("download"), transfers: ["own"] })).status).toBe(422);
    expect((await ask(town, { ...batch("download"), hash_algo: "md5" })).status).toBe(409);
    expect((await ask(town, batch("download"), { accept: "text/html" })).status).toBe(406);
  });

  it("refuses a push with a pointer whose object was not uploaded", async () => {
    const town = await createTown();
    const refused = await pushPointer(town, "early");
    expect(refused).toContain("GH008: Your push referenced at least 1 unknown Git LFS object:");
    expect(refused).toContain(`remote:     ${nameOf(CONTENT).oid}`);
    expect(refused).toContain("pre-receive hook declined");
    expect(branchSha(town.app, "early")).toBeUndefined();
    await keepObject(town.app, CONTENT);
    expect(await pushPointer(town, "late")).toBe("it worked");
  });

  it("has a fork share the objects of what it was made from", async () => {
    const town = await createTown();
    await keepObject(town.app, CONTENT);
    town.github.addUser("carol");
    const fork = await town.github.fork(town.app, "carol");
    town.github.installApp({ account: "carol", permissions: { contents: "read" }, events: [] });
    expect(fork.copyOf).toBe(town.app.dir);
    const [, installation] = town.github.world.installations;
    const { body } = await town.ask(
      "POST",
      `/app/installations/${installation?.id}/access_tokens`,
      {
        auth: town.jwt(),
      },
    );
    const path = "/carol/app.git/info/lfs/objects/batch";
    const asked = await ask(town, batch("download"), { path, auth: String(at(body, "token")) });
    expect(at(asked.body, "objects", 0, "actions")).toHaveProperty("download");
  });
});

interface Action {
  readonly href: string;
  readonly header?: Record<string, string>;
}

interface Actions {
  readonly upload: Action;
  readonly verify: Action & { readonly header: Record<string, string> };
}
