import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findCommand } from "../../../src/cli/trial/find-command.ts";

let here = "";
let repo = "";
beforeAll(async () => {
  here = await mkdtemp(join(tmpdir(), "find-command-"));
  repo = join(here, "repo");
  await mkdir(join(here, "it's"));
  await mkdir(join(repo, "tools"), { recursive: true });
  for (const file of ["a.sh", "it's/b.sh", "repo/tools/c.sh"]) {
    await writeFile(join(here, file), "#!/bin/sh\n");
    await chmod(join(here, file), 0o755);
  }
  await writeFile(join(here, "plain.py"), "");
});
afterAll(() => rm(here, { recursive: true }));

const find = (typed: string) =>
  findCommand(typed, { folder: here, repo, path: process.env.PATH ?? "" });

describe("findCommand", () => {
  it.each([
    ["./a.sh --fast | cat", "'HERE/a.sh' --fast | cat", ["a.sh"]],
    ['"./it\'s/b.sh" x', "'HERE/it'\\''s/b.sh' x", ["it's/b.sh"]],
    ["sh plain.py", "sh 'HERE/plain.py'", ["plain.py"]],
    ["sh ./a.sh && echo", "sh 'HERE/a.sh' && echo", ["a.sh"]],
    ["tools/c.sh", "tools/c.sh", []],
    ["sh tools/c.sh", "sh tools/c.sh", []],
    ["sh -c 'echo ./a.sh'", "sh -c 'echo ./a.sh'", []],
    ["/bin/sh -e", "/bin/sh -e", ["/bin/sh"]],
    ["echo hi > ./a.txt", "echo hi > ./a.txt", []],
    ["X=1 ./a.sh", "X=1 ./a.sh", []],
    ["$HOME/a.sh", "$HOME/a.sh", []],
    ["(cd x && make)", "(cd x && make)", []],
  ])("runs %s as %s", async (typed, command, files) => {
    const whole = files.map((file) => (file.startsWith("/") ? file : join(here, file)));
    const value = { command: command.replace("HERE", here), files: whole };
    expect(await find(typed)).toEqual({ ok: true, value });
  });

  it.each([
    ["./nowhere.sh", "./nowhere.sh: there is no such file in HERE, nor in HERE/repo"],
    ["sh nowhere.py", "nowhere.py: there is no such file in HERE, nor in HERE/repo"],
    ["./plain.py", "./plain.py: not executable; chmod +x ./plain.py makes it so"],
    ["no-such-agent -p", "no-such-agent: there is no such program"],
    ["/no/such/agent", "/no/such/agent: there is no such program"],
  ])("refuses %s", async (typed, words) => {
    const error = words.replaceAll("HERE", here);
    expect(await find(typed)).toEqual({ ok: false, error });
  });
});
