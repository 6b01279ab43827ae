import type { OperatorConfig } from "../../config/schema/operator-config.ts";
import { decideRunner } from "../../doctor/decide/decide-runner.ts";
import type { RunnerFacts } from "../../doctor/decide/decide-runner.ts";
import type { Result } from "../../shared/result.ts";
import { readRunnersOf } from "../doctor/host-questions.ts";
import type { Variables } from "./check-options.ts";

/** Only the runner matters here: there is no local GitHub yet. */
export const NOWHERE = { folder: "/nonexistent", url: "http://127.0.0.1:1", repo: "local/none" };

/** Asks what doctor asks of a runner, before anything is started; returns what is in its way. */
export async function runnerProblem(
  settings: Result<OperatorConfig, string>,
  variables: Variables,
): Promise<string | undefined> {
  if (!settings.ok) return settings.error;
  for (const facts of await readRunnersOf(settings.value, variables)) {
    const problem = decideRunner(facts).find(({ level }) => level === "problem");
    if (problem !== undefined) return `${problem.message}; ${adviceOn(facts) ?? problem.fix ?? ""}`;
  }
  return undefined;
}

/** Says what helps in a trial; a server's operator is advised otherwise. */
function adviceOn({ program, path, unset }: RunnerFacts): string | undefined {
  if (program !== undefined && path === undefined) return "install it, or put it on your PATH";
  if (unset.length === 0) return undefined;
  return "set it: a runner has a HOME of its own, where no login of yours is; --command runs with yours";
}
