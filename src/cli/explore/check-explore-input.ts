import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { problemLine } from "../../config/read/config-problem.ts";
import {
  defaultRepoConfig,
  mergeConfig,
  readRepoConfig,
} from "../../config/repository/read-repo-config.ts";
import type { RepoConfig } from "../../config/schema/repo-config.ts";
import { MAX_EVALUATIONS, mostEvaluations } from "../../domain/exploration.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import {
  checkPlainOptions,
  firstProblem,
  programProblem,
  typedCommand,
  WORK_PROBLEMS,
} from "../trial/check-options.ts";
import type { Problem, Variables } from "../trial/check-options.ts";
import { findRunner } from "../trial/find-runner.ts";
import { findRepository } from "../trial/find-source.ts";
import { checkIdeas, checkPatterns, sourceProblem } from "./check-ideas.ts";
import { checkLimits } from "./check-limits.ts";
import { checkScore } from "./check-score.ts";
import { exploreConfig, exploreSettings } from "./explore-config.ts";
import { issueProblem } from "./explore-issue.ts";
import type { ExploreOptions, ExplorePlanned, RawExploreOptions } from "./explore-options.ts";
import { readHead } from "./read-head.ts";
import type { Head } from "./read-head.ts";

const EVERYTHING = "**";

const PARTNER_PROBLEMS: readonly Problem<RawExploreOptions>[] = [
  ...WORK_PROBLEMS,
  [
    ({ command, runner }) => command === undefined && runner === undefined,
    "--command CMD or --runner NAME is missing: what tries an idea in a workspace",
  ],
  [
    ({ home, runner }) => home === "user" && runner !== undefined,
    "--home user goes with --command: a runner has a HOME of its own",
  ],
  [
    ({ home, sandbox }) => home === "user" && sandbox === "bubblewrap",
    "--home user goes without a sandbox: bubblewrap shows nothing of it",
  ],
  [({ home }) => home !== "own" && home !== "user", "--home takes own or user"],
  [({ verify }) => verify?.trim() === "", "--verify is empty"],
  [({ task }) => task.trim() === "", "--task is empty"],
];

/** Finds everything that can be wrong before anything starts; each problem is one line. */
export async function checkExploreInput(
  raw: RawExploreOptions,
  environment: Variables,
): Promise<Result<ExplorePlanned, string>> {
  const { setup, verify } = raw;
  const path = environment.PATH ?? "";
  const problem =
    sourceProblem(raw) ??
    firstProblem(raw, PARTNER_PROBLEMS) ??
    (await programProblem({ "--setup": setup, "--verify": verify }, path));
  if (problem !== undefined) return fail(problem);
  const words = checkWords(raw, environment);
  if (!words.ok) return words;
  const repo = await findRepository(raw.repo, { PATH: path });
  if (!repo.ok) return repo;
  const head = await readHead(repo.value, { PATH: path });
  const work = await findWork(raw, { repo: repo.value, path, head });
  if (!work.ok) return work;
  const runner = await runnerNamed(raw, { variables: environment, env: words.value.env });
  if (!runner.ok) return runner;
  const given = { repo: repo.value, branch: head.branch, runner: runner.value };
  const options = { ...words.value, ...work.value, ...given, setup, verify };
  return planned(options, { head, environment });
}

type Words = Pick<
  ExploreOptions,
  "limits" | "home" | "port" | "pacing" | "sandbox" | "env" | "json" | "keep"
>;

function checkWords(raw: RawExploreOptions, environment: Variables): Result<Words, string> {
  const plain = checkPlainOptions(raw, environment);
  if (!plain.ok) return plain;
  const limits = checkLimits(raw);
  if (!limits.ok) return limits;
  const home = raw.home === "user" ? "user" : "own";
  return ok({ ...plain.value, limits: limits.value, home });
}

type Work = Pick<
  ExploreOptions,
  "title" | "body" | "ideas" | "ideaCount" | "score" | "claims" | "command" | "files"
>;

interface WorkPlace {
  readonly repo: string;
  readonly path: string;
  readonly head: Head;
}

async function findWork(
  raw: RawExploreOptions,
  { repo, path, head }: WorkPlace,
): Promise<Result<Work, string>> {
  const where = { folder: process.cwd(), repo, path };
  const ideas = checkIdeas(raw, head);
  if (!ideas.ok) return ideas;
  const claims = checkPatterns(raw.files ?? [EVERYTHING], "--files");
  if (!claims.ok) return claims;
  const score = await checkScore(raw, head, where);
  if (!score.ok) return score;
  const typed = await typedCommand(raw, where);
  if (!typed.ok) return typed;
  const body = await readBody(raw);
  if (!body.ok) return body;
  const title = raw.task.trim();
  const told = { title, body: body.value, claims: claims.value, score: score.value };
  return ok({ ...ideas.value, ...typed.value, ...told });
}

async function readBody({ taskFile }: RawExploreOptions): Promise<Result<string, string>> {
  if (taskFile === undefined) return ok("");
  try {
    return ok((await readFile(resolve(taskFile), "utf8")).trim());
  } catch {
    // The reason (missing, a folder, no permission) makes no difference to what the user does next.
    return fail(`--task-file ${taskFile}: cannot be read`);
  }
}

async function runnerNamed(
  { runner }: RawExploreOptions,
  wanted: Parameters<typeof findRunner>[1],
): Promise<Result<ExploreOptions["runner"], string>> {
  return runner === undefined ? ok(undefined) : findRunner(runner, wanted);
}

interface Surroundings {
  readonly head: Head;
  readonly environment: Variables;
}

/** Looks at everything together, as the app will see it. */
async function planned(
  options: ExploreOptions,
  { head, environment }: Surroundings,
): Promise<Result<ExplorePlanned, string>> {
  const config = settingsOf(options, head);
  if (!config.ok) return config;
  const problem =
    sizeProblem(options, config.value) ??
    issueProblem(options, config.value) ??
    (await runnerTrouble(options, environment));
  return problem === undefined ? ok({ ...options, config: config.value }) : fail(problem);
}

function settingsOf(options: ExploreOptions, { settings }: Head): Result<RepoConfig, string> {
  const own = settings === undefined ? ok(defaultRepoConfig()) : readRepoConfig(settings);
  if (!own.ok) return fail(own.error.map(problemLine)[0] ?? "");
  return mergeConfig(own.value, exploreSettings(options));
}

function sizeProblem(
  { ideaCount }: ExploreOptions,
  { explore: { depth, beam } }: RepoConfig,
): string | undefined {
  const most = mostEvaluations(ideaCount, depth, beam);
  if (most <= MAX_EVALUATIONS) return undefined;
  return `${ideaCount} ideas, --depth ${depth} and --beam ${beam} make up to ${most.toLocaleString("en")} evaluations, and the limit is ${MAX_EVALUATIONS.toLocaleString("en")}`;
}

/** This loads what doctor works with, which only a runner needs. */
async function runnerTrouble(
  options: ExploreOptions,
  environment: Variables,
): Promise<string | undefined> {
  if (options.runner === undefined) return undefined;
  const { NOWHERE, runnerProblem } = await import("../trial/check-runner.ts");
  return runnerProblem(await exploreConfig(options, NOWHERE), environment);
}
