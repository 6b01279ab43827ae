import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { VerifiedBase } from "../../train/verify/verify-base.ts";
import { AppError } from "../../shared/app-error.ts";
import { repositoryOf } from "./stage.ts";
import type { Stage } from "./stage.ts";
import type { TrialOptions } from "./trial-options.ts";

/** The base does not pass what every change has to pass. */
export interface BaseFailure {
  readonly reason: string;
  /** This is the end of what its commands printed. */
  readonly tail: string;
  /** The whole output is in this file. */
  readonly log: string | undefined;
}

export interface BaseCheck {
  readonly options: Pick<TrialOptions, "setup" | "verify">;
  readonly folder: string;
  readonly signal: AbortSignal;
  /** It hears what is being done, again and again. */
  checksBase(words: string, elapsedMs: number): void;
  /** It hears how it ended, if it ended well. */
  basePassed(words: string): void;
}

const TELL_EVERY_MS = 200;

/** Looks whether the base can be worked on. Whoever interrupts this wants to know nothing about the base any more. */
export async function examineBase(
  stage: Pick<Stage, "app" | "repository">,
  check: BaseCheck,
): Promise<BaseFailure | undefined> {
  try {
    return await checkBase(stage, check);
  } catch (error) {
    if (check.signal.aborted && error instanceof AppError) return undefined;
    throw error;
  }
}

/** Runs setup and verify on a clean copy of the base: where they fail, everything that agents do would be in vain. */
async function checkBase(
  { app, repository }: Pick<Stage, "app" | "repository">,
  check: BaseCheck,
): Promise<BaseFailure | undefined> {
  const commands = commandsOf(check.options);
  if (commands === "") return undefined;
  const startedAt = Date.now();
  const branch = repository.defaultBranch;
  let words = `Base: reading ${branch}`;
  const tell = (): void => {
    check.checksBase(words, Date.now() - startedAt);
  };
  const timer = setInterval(tell, TELL_EVERY_MS);
  try {
    const base = await app.verifyBase(repositoryOf({ repository }), {
      signal: check.signal,
      begins: (commit, round) => {
        const what = `${branch} at ${commit.slice(0, 7)}: ${commands}`;
        words = round === 1 ? `Base: verifying ${what}` : `Base: failed; once more, ${what}`;
        tell();
      },
    });
    if (base.verdict !== "green") return await failureOf(base, commands, check);
    const took = ((Date.now() - startedAt) / 1000).toFixed(1);
    check.basePassed(
      `Base: ${branch} at ${base.commit.slice(0, 7)} passes ${commands} (${took} s)`,
    );
    return undefined;
  } finally {
    clearInterval(timer);
  }
}

function commandsOf({ setup, verify }: BaseCheck["options"]): string {
  return [setup, verify].flatMap((one) => (one === undefined ? [] : [`\`${one}\``])).join(", ");
}

async function failureOf(
  { branch, commit, verdict, tail, logPath }: VerifiedBase,
  commands: string,
  { options, folder }: BaseCheck,
): Promise<BaseFailure> {
  const what = verdict === "timed-out" ? "takes too long" : "fails";
  const left = options.verify === undefined ? "--setup" : "--verify";
  const reason = `the base itself ${what}: ${commands} on ${branch} at ${commit.slice(0, 7)}; agents would work in vain. Mend it, or leave ${left} out`;
  return { reason, tail, log: await keepLog(logPath, folder) };
}

/** The log is kept where it stays when the app's folder goes. */
async function keepLog(logPath: string | undefined, folder: string): Promise<string | undefined> {
  if (logPath === undefined) return undefined;
  const kept = join(folder, "base.log");
  await copyFile(logPath, kept);
  return kept;
}
