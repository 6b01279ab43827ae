import type { Network } from "../../domain/network/network.ts";
import type { Result } from "../../shared/result.ts";
import { reporterOf } from "./finding.ts";
import type { Finding } from "./finding.ts";

export interface RunnerFacts {
  readonly name: string;
  /** Its command begins with this program; undefined when that cannot be told. */
  readonly program: string | undefined;
  /** It is undefined when the program is not on the PATH. */
  readonly path: string | undefined;
  /** This is the program's own answer, as a run would hear it; undefined when it was not asked. */
  readonly version: Result<string, string> | undefined;
  /** The operator's file names these variables, and they are not set. */
  readonly unset: readonly string[];
  /** It says why the runner must not run here. */
  readonly unsafe: string | undefined;
  /** It needs one of these variables, and none is given to it. */
  readonly keys?: readonly string[];
  /** It says what its command does not find in the sandbox. */
  readonly outside?: { readonly what: string; readonly fix: string } | undefined;
  /** The runner may reach these hosts. */
  readonly network: Network;
}

/** Decides what to report about one runner. */
export function decideRunner(runner: RunnerFacts): readonly Finding[] {
  const { name, unset, unsafe, keys = [] } = runner;
  const say = reporterOf({ check: "runner", about: name });
  return [
    programFinding(runner),
    say.ok(`runner ${name} may reach ${reachOf(runner)}`),
    ...(unsafe === undefined
      ? []
      : [say.problem(`runner ${name} needs a sandbox: ${unsafe}`, "set `sandbox` to bubblewrap")]),
    // A key that is named and not set is said below.
    ...(keys.length === 0 || keys.some((key) => unset.includes(key))
      ? []
      : [keyFinding(name, keys)]),
    ...unset.map((variable) =>
      say.problem(
        `runner ${name}: ${variable} is not set`,
        `set it where wavetrain start runs, or take it out of runners.${name}.env`,
      ),
    ),
  ];
}

function keyFinding(name: string, keys: readonly string[]): Finding {
  const which = keys.length === 1 ? String(keys[0]) : `one of ${keys.join(", ")}`;
  return reporterOf({ check: "runner", about: name }).problem(
    `runner ${name} has no key: it needs ${which}`,
    `set it where wavetrain start runs, and name it in runners.${name}.env`,
  );
}

function reachOf({ network }: RunnerFacts): string {
  if (network === "open") return "all that this host can (network: open)";
  if (network === "none") return "nothing on the network";
  return network.length === 0 ? "its provider alone" : network.join(", ");
}

function programFinding({ name, program, path, version, outside }: RunnerFacts): Finding {
  const say = reporterOf({ check: "runner", about: name });
  if (outside !== undefined) return say.problem(`runner ${name}: ${outside.what}`, outside.fix);
  if (program === undefined) return say.ok(`runner ${name}: a command of the shell`);
  if (path === undefined) {
    return say.problem(
      `runner ${name}: the program ${program} is not found`,
      "install it, or put its folder on the PATH of wavetrain start",
    );
  }
  if (version === undefined) return say.ok(`runner ${name}: ${path}`);
  if (version.ok) return say.ok(`runner ${name}: ${program} ${version.value} in ${path}`);
  return say.problem(
    `runner ${name}: ${path} --version did not work: ${version.error}`,
    "run it by hand; in the sandbox it sees the system, PATH and what `readable` names",
  );
}
