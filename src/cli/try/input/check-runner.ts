import { decideRunner } from "../../../doctor/decide/decide-runner.ts";
import type { RunnerFacts } from "../../../doctor/decide/decide-runner.ts";
import { readRunnersOf } from "../../doctor/host-questions.ts";
import type { TryOptions } from "./options.ts";
import { trialSettings } from "./trial-config.ts";

/** Only the runner matters here: there is no local GitHub yet. */
const NOWHERE = { folder: "/nonexistent", url: "http://127.0.0.1:1", repo: "local/none" };

/** Asks what doctor asks of a runner, before anything is started; returns what is in its way. */
export async function runnerProblem(
  options: TryOptions,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const settings = await trialSettings(options, NOWHERE);
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
