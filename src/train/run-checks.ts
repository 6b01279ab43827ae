import type { Deps } from "../deps.ts";
import type { CheckFact, RequiredCheck } from "../ports/github.ts";
import { AppError } from "../shared/app-error.ts";
import { interrupted } from "./interrupted.ts";
import { checkFromText } from "./policy.ts";
import { tellMissing } from "./tell-missing.ts";
import type { Said, Verifying } from "./verifying.ts";

/** Where others' checks find the candidate; named after the commit, so that two never share one. */
export function candidateRef({ base, commit }: { base: string; commit: string }): string {
  return `refs/heads/wavetrain/candidate/${base}/${commit.slice(0, 12)}`;
}

/** Shows the candidate to everyone who checks branches, and waits for the checks that are asked for by name. */
export async function runChecks(work: Verifying, said: Said, deps: Deps): Promise<Said> {
  const { context, commit } = work;
  const wanted = context.config.train.checks.map(checkFromText);
  if (wanted.length === 0) return said;
  const ref = candidateRef({ base: context.base, commit });
  const staged = await deps.git.stageCommit(context.repo, ref, commit);
  if (staged.kind === "rejected") {
    throw new AppError("git-failed", `cannot show the candidate: ${staged.reason}`);
  }
  try {
    return await waitForChecks(work, { wanted, said }, deps);
  } finally {
    await deps.git.unstage(context.repo, ref);
  }
}

interface Wanted {
  readonly wanted: readonly RequiredCheck[];
  readonly said: Said;
}

async function waitForChecks(work: Verifying, { wanted, said }: Wanted, deps: Deps): Promise<Said> {
  const { context, commit, signal } = work;
  const deadline = deps.clock.now() + context.config.train.checksTimeout;
  for (;;) {
    if (signal.aborted) throw interrupted();
    const facts = await deps.github.checksOf(context.repo, commit);
    const states = wanted.map((check) => stateOf(check, facts));
    const failed = wanted.filter((_, at) => states[at] === "failure");
    if (failed.length > 0) {
      return { verdict: "red", tail: `${said.tail}\nfailed: ${named(failed)}` };
    }
    const missing = wanted.filter((_, at) => states[at] !== "success");
    if (missing.length === 0) return said;
    await tellMissing(work, named(missing), deps);
    if (deps.clock.now() >= deadline) {
      return { verdict: "timed-out", tail: `nobody reported ${named(missing)}` };
    }
    await pause(deps.operator.retry.backoff, signal, deps);
  }
}

function named(checks: readonly RequiredCheck[]): string {
  return checks.map(({ name }) => name).join(", ");
}

/** Unknown is not success: a check that nobody reported is pending. */
function stateOf(check: RequiredCheck, facts: readonly CheckFact[]): CheckFact["state"] {
  const reports = facts.filter(
    ({ name, app }) => name === check.name && (check.app === undefined || app === check.app),
  );
  if (reports.some(({ state }) => state === "failure")) return "failure";
  const done = reports.length > 0 && reports.every(({ state }) => state === "success");
  return done ? "success" : "pending";
}

async function pause(delayMs: number, signal: AbortSignal, { clock }: Deps): Promise<void> {
  await new Promise<void>((resolve) => {
    const cancel = clock.after(delayMs, resolve);
    const stop = (): void => {
      cancel();
      resolve();
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}
