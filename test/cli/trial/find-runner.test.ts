import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findRunner } from "../../../src/cli/trial/find-runner.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wavetrain-find-runner-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileWith(text: string): Promise<Readonly<Record<string, string>>> {
  const file = join(folder, "operator.yml");
  await writeFile(file, text);
  return { WAVETRAIN_CONFIG: file };
}

describe("findRunner", () => {
  it("takes a preset by its name, with the keys of its provider", async () => {
    const variables = { CODEX_API_KEY: "k", OPENAI_API_KEY: "o" };
    expect(await findRunner("codex", { variables, env: [] })).toEqual({
      ok: true,
      value: {
        name: "codex",
        runner: { preset: "codex", env: ["CODEX_API_KEY", "OPENAI_API_KEY"] },
        sandbox: undefined,
      },
    });
  });

  it.each([
    {
      what: "the usual key where none is set",
      variables: {},
      env: [],
      found: ["ANTHROPIC_API_KEY"],
    },
    {
      what: "another key where that is set, and the provider's address",
      variables: { ANTHROPIC_AUTH_TOKEN: "t", ANTHROPIC_BASE_URL: "u" },
      env: [],
      found: ["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"],
    },
    { what: "what was asked for", variables: { MINE: "m" }, env: ["MINE"], found: ["MINE"] },
  ])("wants $what", async ({ variables, env, found }) => {
    expect(await findRunner("claude", { variables, env })).toMatchObject({
      value: { runner: { preset: "claude", env: found } },
    });
  });

  it("takes the entry of the operator's file before a preset of the same name, with its sandbox", async () => {
    const variables = await fileWith("sandbox: none\nrunners: { codex: { command: echo hi } }\n");
    expect(await findRunner("codex", { variables, env: ["MINE"] })).toMatchObject({
      ok: true,
      value: { runner: { command: "echo hi", env: ["MINE"] }, sandbox: { sandbox: "none" } },
    });
  });

  it.each([
    { what: "a name that nobody has", name: "nobody", words: "there are ours, codex" },
    { what: "a file that is wrong", name: "codex", text: "runers: {}", words: "operator.yml:1" },
  ])("says what is wrong with $what", async ({ name, text, words }) => {
    const variables = await fileWith(text ?? "runners: { ours: { command: 'true' } }");
    const found = await findRunner(name, { variables, env: [] });
    expect(found).toMatchObject({ ok: false, error: expect.stringContaining(words) as string });
  });

  it("wants the file that is named", async () => {
    const variables = { WAVETRAIN_CONFIG: "/nowhere.yml" };
    const found = await findRunner("codex", { variables, env: [] });
    expect(found).toEqual({ ok: false, error: "/nowhere.yml: cannot be read" });
  });
});
