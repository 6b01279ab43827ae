import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { further } from "../../../support/further.ts";
import { createGit } from "../../../../src/adapters/git/create-git.ts";
import { createAside } from "../../../../src/adapters/host/aside.ts";
import { instant, sha, type Instant, type Sha } from "../../../../src/domain/ids.ts";
import type { FilesIn, WantedFiles } from "../../../../src/ports/git.ts";
import { createGitSandbox, REPO, writeFiles } from "../git-sandbox.ts";
import type { GitSandbox } from "../git-sandbox.ts";

let sandbox: GitSandbox;
let person: string;
beforeEach(async () => {
  sandbox = await createGitSandbox();
  person = join(sandbox.root, "person");
});
afterEach(() => sandbox.remove());

/** Commits to main what `make` puts below `ideas`, and brings it into the mirror. */
async function commit(files: Readonly<Record<string, string>>, make = nothing): Promise<Sha> {
  await writeFiles(join(person, "ideas"), { ...files, ".keep": "" });
  await make(join(person, "ideas"));
  await sandbox.commit("main", {});
  return sandbox.git.fetchBranch(REPO, "main");
}

const nothing: (folder: string) => Promise<unknown> = () => Promise.resolve();

function read(of: Sha, some: Partial<WantedFiles> = {}): Promise<FilesIn> {
  const matches = (path: string): boolean => /^ideas\/.*\.md$/s.test(path);
  return sandbox.git.filesIn(REPO, of, { matches, maxFiles: 100, maxBytes: 1000, ...some });
}

describe("filesIn", () => {
  it("reads the files that match, at any depth, in the order of their paths", async () => {
    const files = { "b.md": "B\n", "a.md": "\uFEFFä\r\n", "a/z.md": "", "a.txt": "no\n" };
    expect(await read(await commit(files))).toEqual({
      kind: "read",
      files: [
        { path: "ideas/a.md", text: "\uFEFFä\r\n" },
        { path: "ideas/a/z.md", text: "" },
        { path: "ideas/b.md", text: "B\n" },
      ],
    });
  });

  it("orders paths by code units, and takes every name as it is", async () => {
    // In the order of bytes, which is git's, the last two would change places.
    const names = ['"q".md', "a b.md", "line\nend.md", "tab\t.md", "ü.md", "😀.md", "ﬀ.md"];
    const tip = await commit(Object.fromEntries(names.map((name) => [name, name])));
    const files = names.map((name) => ({ path: `ideas/${name}`, text: name }));
    expect(await read(tip)).toEqual({ kind: "read", files });
  });

  it("reads the commit that it is asked about, not the tip", async () => {
    const before = await commit({ "a.md": "old" });
    await commit({ "a.md": "new", "b.md": "new" });
    expect(await read(before)).toMatchObject({ files: [{ text: "old" }] });
  });

  it("takes neither a link nor a submodule for a file", async () => {
    const tip = await commit({ "a.md": "a" }, async (folder) => {
      await symlink("/etc/passwd", join(folder, "link.md"));
      await symlink("..", join(folder, "folder.md"));
      // An empty folder in its place is what git itself makes of a submodule.
      await mkdir(join(folder, "sub.md"));
      const entry = `160000,${"1".repeat(40)},ideas/sub.md`;
      await sandbox.shell(person, "update-index", "--add", "--cacheinfo", entry);
    });
    expect(await sandbox.entries(tip)).toEqual(
      expect.arrayContaining(["120000 ideas/link.md", "160000 ideas/sub.md"]),
    );
    expect(await read(tip)).toMatchObject({ files: [{ path: "ideas/a.md" }] });
  });

  it("takes a pointer of Git LFS for the text that it is, and no attribute for a filter", async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 9\n`;
    const attributes = "*.md eol=crlf ident\n";
    const tip = await commit({ "a.md": pointer, "b.md": "$Id$\n", ".gitattributes": attributes });
    expect(await read(tip)).toMatchObject({ files: [{ text: pointer }, { text: "$Id$\n" }] });
  });

  it("is content with nothing", async () => {
    const tip = await commit({});
    expect(await read(tip)).toEqual({ kind: "read", files: [] });
    expect(await read(tip, { maxFiles: 0 })).toEqual({ kind: "read", files: [] });
  });

  it("counts the files before it reads any", async () => {
    const tip = await commit({ "a.md": "a", "b.md": "\0", "c.md": "c" });
    expect(await read(tip, { maxFiles: 2 })).toEqual({ kind: "too-many", count: 3 });
    expect(await read(tip, { maxFiles: 3 })).toMatchObject({ kind: "not-text" });
  });

  it("names the first file that is too large, in bytes", async () => {
    const tip = await commit({ "a.md": "1234", "b.md": "äöü", "c.md": "12345678" });
    expect(await read(tip, { maxBytes: 5 })).toEqual({ kind: "too-large", path: "ideas/b.md" });
    expect(await read(tip, { maxBytes: 8 })).toMatchObject({ kind: "read" });
  });

  it.each([
    ["a NUL", Buffer.from("a\0b")],
    ["half a letter", Buffer.from("ä").subarray(0, 1)],
    ["another encoding", Buffer.from("größe", "latin1")],
    ["a letter that is encoded too long", Buffer.from([0xc0, 0x80])],
    ["half a pair of surrogates", Buffer.from([0xed, 0xa0, 0x80])],
  ])("names the first file with %s in it", async (_what, content) => {
    const tip = await commit({ "a.md": "a", "c.md": "\0" }, (folder) =>
      writeFile(join(folder, "b.md"), content),
    );
    expect(await read(tip)).toEqual({ kind: "not-text", path: "ideas/b.md" });
  });

  it.runIf(process.platform === "linux")(
    "says of a name that is no UTF-8 that it is no text",
    async () => {
      const tip = await commit({}, (folder) =>
        writeFile(
          Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff]), Buffer.from(".md")]),
          "",
        ),
      );
      expect(await read(tip)).toEqual({ kind: "not-text", path: "ideas/\uFFFD.md" });
    },
  );

  further("reads 5,000 files", async () => {
    const files = Array.from({ length: 5000 }, (_, n) => [`${n % 50}/${n}.md`, `${n}\n`] as const);
    const tip = await commit(Object.fromEntries(files));
    const found = await read(tip, { maxFiles: 5000 });
    if (found.kind !== "read") throw new Error(found.kind);
    expect(found.files).toHaveLength(5000);
    const texts = new Map(found.files.map(({ path, text }) => [path, text]));
    for (const [path, text] of files) expect(texts.get(`ideas/${path}`)).toBe(text);
  });

  it("fails where the commit is not there", async () => {
    await sandbox.git.fetchBranch(REPO, "main");
    await expect(read(sha("1".repeat(40)))).rejects.toMatchObject({ code: "git-failed" });
  });

  it("has the mirror made anew where a file of it is lost", async () => {
    const tip = await commit({ "a.md": "a" });
    const mirror = join(sandbox.dataDir, "mirrors/octo/shop.git");
    const blob = (await sandbox.shell(mirror, "rev-parse", `${tip}:ideas/a.md`)).trim();
    await rm(join(mirror, "objects", blob.slice(0, 2), blob.slice(2)));
    const { dataDir, remote } = sandbox;
    const now = (): Instant => instant(1_700_000_000_000);
    const git = createGit({
      dataDir,
      now,
      aside: createAside({ dataDir, now, say: () => undefined }),
      remoteUrl: () => `file://${remote}`,
      token: () => Promise.resolve(""),
    });
    const wanted = { matches: (path: string) => path.endsWith(".md"), maxFiles: 9, maxBytes: 9 };
    expect(await git.filesIn(REPO, tip, wanted)).toMatchObject({
      files: [{ text: "a" }, { text: "shop\n" }],
    });
  });
});
