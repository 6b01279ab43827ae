import { randomBytes } from "node:crypto";
import { access, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { fillWorld } from "../../../local-github/fill-world.ts";
import type { FilledWorld } from "../../../local-github/fill-world.ts";
import { newAppKey } from "../../../local-github/new-app-key.ts";
import { startLocalGitHub } from "../../../local-github/start-local-github.ts";
import type { LocalGitHub } from "../../../local-github/start-local-github.ts";
import { readVariables } from "../../config/operator/env.ts";
import { saveApp } from "../../config/operator/saved-app.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { readAppManifest } from "../text/package-file.ts";
import { findSource, repositoryName } from "../trial/find-source.ts";
import { emptyWorld, readWorldFile } from "./world-file.ts";
import type { WorldFromFile } from "./world-file.ts";

const APP = { id: 1, slug: "wavetrain", name: "wavetrain" };
/** Says that a folder is of this command, which may make it anew, and holds the number of the process that uses it. */
const MARK = "local-github";
const FAILED = { exitCode: 1 };

/** As they were typed. */
export interface GitHubOptions {
  readonly port: string;
  readonly repo?: string;
  readonly world?: string;
  readonly data: string;
  readonly webhooks: string;
  readonly as?: string;
  readonly json?: true;
}

export interface CheckedWorld {
  readonly port: number;
  readonly folder: string;
  readonly webhooks: string;
  readonly as: string;
  readonly json: boolean;
  readonly world: WorldFromFile;
}

/** Everything that can be wrong with what was typed, before anything is made. */
export async function checkWorld(
  options: GitHubOptions,
): Promise<Result<CheckedWorld, readonly string[]>> {
  const world = await wantedWorld(options);
  if (!world.ok) return world;
  const people = Object.keys(world.value.people);
  const as = options.as ?? people.at(-1) ?? "";
  const problems = [...(await placeProblems(options)), ...personProblems(as, people)];
  if (problems.length > 0) return fail(problems);
  const { port, webhooks, data, json = false } = options;
  const folder = resolve(data);
  return ok({ port: Number(port), folder, webhooks, as, json, world: world.value });
}

async function placeProblems({ port, webhooks, data }: GitHubOptions): Promise<readonly string[]> {
  const isPort = /^\d{1,5}$/.test(port) && Number(port) <= 65_535;
  const isOurs = !(await isStrange(resolve(data)));
  const user = await userOf(resolve(data));
  return [
    ...(isPort ? [] : [`--port ${port}: not a port from 0 to 65535`]),
    ...(URL.canParse(webhooks) ? [] : [`--webhooks ${webhooks}: not an address`]),
    ...(isOurs ? [] : [`--data ${data}: exists and is not of this command; name another folder`]),
    ...(user === undefined
      ? []
      : [
          `--data ${data}: a wavetrain github is at work there (process ${user}); end it, or name another folder`,
        ]),
  ];
}

function personProblems(as: string, people: readonly string[]): readonly string[] {
  return people.includes(as) ? [] : [`--as ${as}: there is no such person here`];
}

async function wantedWorld({
  repo,
  world,
}: GitHubOptions): Promise<Result<WorldFromFile, readonly string[]>> {
  if (repo !== undefined && world !== undefined)
    return fail(["--repo and --world: give one of them"]);
  if (world !== undefined) return withSources(await readWorldFile(world));
  const source = await sourceAt(repo);
  if (!source.ok) return fail([source.error]);
  const empty = emptyWorld();
  if (source.value === undefined) return ok(empty);
  const name = repositoryName(source.value);
  return ok({ ...empty, repositories: [{ name, from: source.value }] });
}

function sourceAt(path: string | undefined): ReturnType<typeof findSource> {
  return findSource(path, { PATH: readVariables()["PATH"] ?? "" });
}

/** Every path that the file names is a repository that can be copied. */
async function withSources(
  read: Result<WorldFromFile, readonly string[]>,
): Promise<Result<WorldFromFile, readonly string[]>> {
  if (!read.ok) return read;
  const paths = read.value.repositories.flatMap(({ from }) =>
    typeof from === "string" ? [from] : [],
  );
  const sources = await Promise.all(paths.map(sourceAt));
  const problems = sources.flatMap((source) => (source.ok ? [] : [source.error]));
  return problems.length > 0 ? fail(problems) : read;
}

async function isStrange(folder: string): Promise<boolean> {
  return (await exists(folder)) && !(await exists(join(folder, MARK)));
}

/** The process that works in the folder, unless it has ended. */
async function userOf(folder: string): Promise<number | undefined> {
  const pid = Number(await readFile(join(folder, MARK), "utf8").catch(() => ""));
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  try {
    process.kill(pid, 0);
    return pid;
  } catch {
    // Nobody has that number any more.
    return undefined;
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Resolves when it was told to end. */
export async function runGitHub(wanted: CheckedWorld, command: Command): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  const started = await start(wanted).catch((error: unknown) =>
    command.error(`error: ${failureOf(error, wanted)}`, FAILED),
  );
  console.log(wanted.json ? JSON.stringify(started.told) : render(started.told));
  await ended;
  await started.github.close();
  // Idle connections of others would keep this process waiting.
  process.exit(0);
}

function failureOf(error: unknown, { port }: CheckedWorld): string {
  if (!(error instanceof Error)) return String(error);
  const isTaken = "code" in error && error.code === "EADDRINUSE";
  return isTaken ? `port ${port} is taken; choose another with --port, or 0` : error.message;
}

interface Told {
  readonly url: string;
  readonly pages: string;
  readonly repositories: readonly string[];
  readonly issues: number;
  readonly dataDir: string;
  readonly appId: number;
  readonly webhooks: string;
  readonly as: string;
  /** A classic token of that person. */
  readonly token: string;
}

const SCOPES = ["repo", "read:org", "project"];

async function start(
  wanted: CheckedWorld,
): Promise<{ readonly github: LocalGitHub; readonly told: Told }> {
  const { folder, port, world, webhooks, as } = wanted;
  const { publicKey, privateKey } = newAppKey();
  const webhookSecret = randomBytes(24).toString("hex");
  const github = await startLocalGitHub({
    dataDir: join(folder, "repositories"),
    port,
    pages: { as },
    app: { ...APP, publicKey, webhookSecret },
  });
  // Only once the port is ours: whoever cannot start takes nothing away.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, MARK), `${process.pid}\n`);
  const dataDir = join(folder, "app");
  const page = `${github.url}/apps/${APP.slug}`;
  await saveApp(dataDir, { appId: APP.id, slug: APP.slug, page, privateKey, webhookSecret });
  const filled = await fillWorld(github, { ...world, installation: await readAppManifest() });
  github.setWebhookUrl(webhooks);
  return { github, told: tell(github, filled, { ...wanted, dataDir }) };
}

function tell(
  github: LocalGitHub,
  { repositories, issues }: FilledWorld,
  { webhooks, dataDir, as }: CheckedWorld & { readonly dataDir: string },
): Told {
  return {
    url: github.url,
    pages: github.pagesUrl,
    repositories: repositories.map(({ owner, name }) => `${owner.login}/${name}`),
    issues: issues.length,
    dataDir,
    appId: APP.id,
    webhooks,
    as,
    token: github.addClassicToken(as, SCOPES).token,
  };
}

function render(told: Told): string {
  return `The local GitHub is at ${told.url}: ${told.repositories.join(", ")}, ${told.issues} ${told.issues === 1 ? "issue" : "issues"}.

Board, issues and pull requests, in a browser:
  ${told.pages}

Wavetrain on it, in another terminal (a wavetrain.config.yml names the runners):
  WAVETRAIN_API_URL=${told.url} WAVETRAIN_GIT_URL=${told.url} WAVETRAIN_DATA_DIR=${told.dataDir} wavetrain start

Another App: its number is ${told.appId}, its key and webhook secret are in ${join(told.dataDir, "github-app.json")},
and webhooks go to ${told.webhooks}. Any other program acts as ${told.as} by the classic token
  ${told.token}

Ctrl-C ends it and forgets everything.`;
}
