import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse, stringify } from "yaml";
import { setupCommand, whatIsWrong } from "../../../src/cli/setup/setup-command.ts";
import { readSavedApp } from "../../../src/config/operator/saved-app.ts";
import type { Finding } from "../../../src/doctor/decide/finding.ts";
import { createTown } from "../../local-github/town.ts";
import type { Town } from "../../local-github/town.ts";
import { bundledApp } from "../../support/bundle-app.ts";

interface Running {
  readonly url: string;
  readonly out: () => string;
  readonly ended: () => Promise<number | null>;
}

/** `wavetrain setup` as a process of its own, serving its page. */
async function startSetup(
  { github }: Town,
  { folder, args = [] }: { readonly folder: string; readonly args?: readonly string[] },
): Promise<Running> {
  const env = {
    PATH: process.env.PATH,
    WAVETRAIN_DATA_DIR: folder,
    WAVETRAIN_CONFIG: join(folder, "none.yml"),
    WAVETRAIN_API_URL: github.url,
    WAVETRAIN_GIT_URL: github.url,
    PORT: "0",
  };
  const child = spawn("node", [await bundledApp(), "setup", ...args], { env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exit = once(child, "close") as Promise<[number | null]>;
  let [out, err] = ["", ""];
  child.stdout.on("data", (text: Buffer) => (out += text.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (text: Buffer) => {
      err += text.toString();
      const address = /open (\S+)/.exec(err)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.on("exit", () => reject(new Error(err)));
  });
  return { url, out: () => out, ended: async () => (await exit)[0] };
}

interface Verdict {
  readonly ok: boolean;
  readonly findings: readonly Finding[];
  readonly made: readonly string[];
}

/** `wavetrain doctor --json` with what was saved. */
async function runDoctor({ github }: Town, folder: string) {
  const config = join(folder, "wavetrain.config.yml");
  const at = { apiUrl: github.url, gitUrl: github.url };
  const runners = { agent: { command: "no-such-agent" } };
  await writeFile(config, stringify({ dataDir: folder, sandbox: "none", github: at, runners }));
  const args = [await bundledApp(), "doctor", "--json", "--config", config];
  const { exitCode, stdout } = await execa("node", args, {
    reject: false,
    extendEnv: false,
    env: { PATH: process.env.PATH ?? "" },
  });
  const verdict = JSON.parse(stdout) as Verdict;
  expect(Object.keys(verdict)).toEqual(["ok", "findings", "made"]);
  expect(verdict.ok).toBe(false);
  return { code: exitCode, findings: verdict.findings };
}

/** What the command says against it, in this process. */
async function refusal(...args: readonly string[]): Promise<string> {
  let said = "";
  const command = setupCommand()
    .exitOverride()
    .configureOutput({ writeErr: (text) => (said += text) });
  await expect(command.parseAsync(args, { from: "user" })).rejects.toMatchObject({ exitCode: 2 });
  return said;
}

const unescape = (text: string): string => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/** What a browser would send for the form on the page. */
function formOf(page: string): { readonly action: string; readonly manifest: string } {
  const [, action = ""] = /action="([^"]+)"/.exec(page) ?? [];
  const [, manifest = ""] = /name="manifest" value="([^"]+)"/.exec(page) ?? [];
  return { action: unescape(action), manifest: unescape(manifest) };
}

// Two processes that compile as they start.
const TIMEOUT_MS = 120_000;

describe("wavetrain setup", { timeout: TIMEOUT_MS }, () => {
  it("makes the app of app.yml with one click, keeps its secrets to itself and ends", async () => {
    const town = await createTown();
    const where = ["--org", "acme", "--url", "https://wavetrain.acme.example/"];
    const folder = await mkdtemp(join(tmpdir(), "wavetrain-setup-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const running = await startSetup(town, { folder, args: where });
    const site = new URL(running.url).origin;
    const get = (path: string) => fetch(`${site}${path}`, { redirect: "manual" });
    expect((await get("/probot")).status).toBe(403);
    expect((await get("/probot?key=guessed")).status).toBe(403);

    const form = formOf(await (await fetch(running.url)).text());
    const asked = JSON.parse(form.manifest) as Record<string, unknown>;
    const file = parse(await readFile("app.yml", "utf8")) as Record<string, unknown>;
    expect(asked).toEqual({
      ...file,
      name: "wavetrain-acme",
      redirect_url: `${site}/probot/setup`,
      hook_attributes: {
        url: "https://wavetrain.acme.example/api/github/webhooks",
        active: true,
      },
    });

    const state = new URL(form.action).searchParams.get("state") ?? "";
    expect((await get("/probot/setup?code=x&state=other")).status).toBe(400);
    expect((await get(`/probot/setup?state=${state}`)).status).toBe(400);
    expect((await get(`/probot/setup?code=unknown&state=${state}`)).status).toBe(502);
    expect(await readSavedApp(folder)).toEqual({ ok: true, value: undefined });

    const body = new URLSearchParams({ manifest: form.manifest });
    const sent = await fetch(form.action, { method: "POST", body, redirect: "manual" });
    const back = await fetch(sent.headers.get("location") ?? "", { redirect: "manual" });
    const { app } = town.github.world;
    expect(back.status).toBe(302);
    expect(back.headers.get("location")).toBe(
      `${town.github.url}/apps/wavetrain-acme/installations/new`,
    );
    expect(await running.ended()).toBe(0);
    expect(running.out()).toContain(`made the app wavetrain-acme (${app.id})`);
    expect(running.out()).not.toContain(app.webhookSecret);
    const saved = await readSavedApp(folder);
    expect(saved).toMatchObject({ value: { appId: app.id, webhookSecret: app.webhookSecret } });
    expect((await stat(join(folder, "github-app.json"))).mode & 0o777).toBe(0o600);
    town.github.installApp({ account: "acme", permissions: app.permissions ?? {}, events: [] });
    const { code, findings } = await runDoctor(town, folder);
    expect(code).toBe(1);
    expect(findings).toContainEqual({
      check: "credentials",
      about: null,
      level: "ok",
      fix: null,
      message: `app ${app.id}, its key and webhook secret from \`wavetrain setup\``,
    });
    expect(findings).toContainEqual(expect.objectContaining({ check: "app", level: "ok" }));
    // Another one would overwrite the only copy of the key.
    expect(await refusal("--config", join(folder, "wavetrain.config.yml"))).toMatch(
      /holds the app wavetrain-acme: move it away/,
    );
    town.observer.assertNoViolations();
  });

  it.each([
    [{ org: "a/b" }, "--org"],
    [{ url: "wavetrain.example" }, "--url"],
    [{ port: "http" }, "--port"],
    [{ name: " " }, "--name"],
    [{ org: "acme", url: "https://x.example", port: "0" }, undefined],
  ])("looks at its options: %j", (options, option) => {
    const wrong = whatIsWrong({ host: "127.0.0.1", ...options });
    if (option === undefined) expect(wrong).toBeUndefined();
    else expect(wrong).toContain(option);
  });
});
