import type { FolderFacts, StoreFacts } from "../../ports/inspection.ts";
import type { Sandbox } from "../../ports/sandbox.ts";
import type { Result } from "../../shared/result.ts";
import { decideRunner } from "./decide-runner.ts";
import type { RunnerFacts } from "./decide-runner.ts";
import { reporterOf } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** They describe this machine, the operator's file and the environment. */
export interface HostFacts {
  readonly node: string;
  readonly git: Result<string, string>;
  readonly configFile: string;
  /** There is one line for each thing that is wrong with the operator's file. */
  readonly configProblems: readonly string[];
  readonly identity: Result<IdentityFacts, readonly string[]>;
  /** It is undefined when the operator's file cannot be used. */
  readonly place: PlaceFacts | undefined;
}

/** These facts can be learned only once the operator's file is read. */
export interface PlaceFacts {
  readonly folder: FolderFacts;
  readonly minFreeDisk: number;
  readonly store: StoreFacts;
  /** Each sentence names something that was put aside or is in the way, or a notice of the running server. */
  readonly oddities: readonly string[];
  readonly sandbox: Result<Pick<Sandbox, "level" | "processes">, string>;
  readonly runners: readonly RunnerFacts[];
}

/** This is the first version with `git merge-tree --write-tree`, which builds candidates without a checkout. */
const MIN_GIT_VERSION = "2.38.0";
const GB = 2 ** 30;
const NO_FILE = "there is no such file";
const BEGIN = "write it and name your agents in it: docs/setup.md shows the first lines";

/** Decides what to report about this machine. */
export function decideHost(facts: HostFacts): readonly Finding[] {
  const { place } = facts;
  return [
    nodeFinding(facts.node),
    gitFinding(facts.git),
    ...configFindings(facts),
    ...identityFindings(facts),
    ...(place === undefined ? [unplaced(facts)] : placeFindings(place)),
  ];
}

function nodeFinding(version: string): Finding {
  const say = reporterOf({ check: "node" });
  const isLate20 = /^20\./.test(version) && isAtLeast(version, "20.19.0");
  if (isLate20 || isAtLeast(version, "22.12.0")) return say.ok(`Node ${version}`);
  return say.problem(
    `Node ${version} is too old`,
    "install Node 20.19 or a later 20, or 22.12 or newer",
  );
}

function gitFinding(git: HostFacts["git"]): Finding {
  const say = reporterOf({ check: "git" });
  const fix = "install git 2.38 or newer and put it on the PATH";
  if (!git.ok) return say.problem(`git cannot be run: ${git.error}`, fix);
  const version = /\d+(?:\.\d+)+/.exec(git.value)?.[0] ?? "";
  if (isAtLeast(version, MIN_GIT_VERSION)) return say.ok(`git ${version}`);
  return say.problem(`git ${version || "of an unknown version"} is too old`, fix);
}

function configFindings({ configFile, configProblems }: HostFacts): readonly Finding[] {
  const say = reporterOf({ check: "configuration" });
  if (configProblems.length === 0) return [say.ok(`${configFile} is valid`)];
  const fix = `put it right in ${configFile}; docs/configuration.md lists every key`;
  return configProblems.map((line) => say.problem(line, line.endsWith(NO_FILE) ? BEGIN : fix));
}

function identityFindings({ identity }: HostFacts): readonly Finding[] {
  const say = reporterOf({ check: "credentials" });
  if (!identity.ok) return identity.error.map((line) => credentialProblem(line));
  const { appId, source, exposed } = identity.value;
  const where = source === "environment" ? "from the environment" : "from `wavetrain setup`";
  const good = say.ok(`app ${appId}, its key and webhook secret ${where}`);
  if (exposed === undefined) return [good];
  return [good, say.problem(`${exposed} can be read by other users`, `chmod 600 ${exposed}`)];
}

/** The line reads `what is wrong: what to know about it`. */
function credentialProblem(line: string): Finding {
  const [what = line, why = "see docs/setup.md"] = line.split(/: (.*)/s, 2);
  const other = what.endsWith("is not set") ? "; or let `wavetrain setup` make the app" : "";
  return reporterOf({ check: "credentials" }).problem(what, `${why}${other}`);
}

function unplaced({ configFile }: HostFacts): Finding {
  const what = "data folder, store, sandbox and runners";
  return reporterOf({ check: "host" }).skipped(`${what}: once ${configFile} can be used`);
}

function placeFindings({ folder, store, ...place }: PlaceFacts): readonly Finding[] {
  return [
    folderFinding(folder),
    ...diskFindings(folder, place.minFreeDisk),
    storeFinding(store),
    ...oddityFindings(place.oddities, folder.path),
    sandboxFinding(place.sandbox),
    ...processFindings(place.sandbox),
    ...place.runners.flatMap(decideRunner),
  ];
}

function folderFinding({ path, exists, unwritable }: FolderFacts): Finding {
  const say = reporterOf({ check: "data-folder" });
  if (unwritable !== undefined) {
    const fix = "give the server's user write access, or set dataDir to another folder";
    return say.problem(`${path}: ${unwritable}`, fix);
  }
  return say.ok(exists ? `${path} can be written` : `${path} will be made at the first start`);
}

function diskFindings({ path, freeBytes }: FolderFacts, wanted: number): readonly Finding[] {
  const say = reporterOf({ check: "disk" });
  if (freeBytes === undefined) return [];
  const free = `${inGigabytes(freeBytes)} GB free at ${path}`;
  if (freeBytes >= wanted) return [say.ok(free)];
  const fix = "free some, or lower minFreeDisk; until then no run starts";
  return [say.problem(`${free}, ${inGigabytes(wanted)} GB are wanted`, fix)];
}

function inGigabytes(bytes: number): string {
  return (bytes / GB).toFixed(1);
}

function storeFinding(store: StoreFacts): Finding {
  const say = reporterOf({ check: "store" });
  switch (store.state) {
    case "new":
      return say.ok("the store will be made at the first start");
    case "good":
      return say.ok("the store opens");
    case "held":
      return say.ok(`the store is open: ${store.reason}`);
    case "unusable":
      return say.problem(
        store.reason,
        "docs/store.md says how to restore one, or how to move to a newer version",
      );
  }
}

function oddityFindings(oddities: readonly string[], path: string): readonly Finding[] {
  const say = reporterOf({ check: "leftovers" });
  const fix = `look at it; once it is of no use, delete it below ${path} (docs/rescue.md)`;
  return oddities.map((line) => say.warning(line, fix));
}

function sandboxFinding(sandbox: PlaceFacts["sandbox"]): Finding {
  const say = reporterOf({ check: "sandbox" });
  if (!sandbox.ok) {
    return say.problem(
      sandbox.error,
      "see docs/runners.md#sandbox for what each kind needs of the host",
    );
  }
  const { level } = sandbox.value;
  if (level !== "none") return say.ok(`agents run in ${level}`);
  return say.warning(
    "agents run without a sandbox: they can read what the server's user can",
    "install bubblewrap and take `sandbox: none` out, unless the whole server is a sandbox",
  );
}

/** Decides whether a process that an agent starts can outlive it; a sandbox prevents that by itself. */
function processFindings(sandbox: PlaceFacts["sandbox"]): readonly Finding[] {
  const processes = sandbox.ok ? sandbox.value.processes : undefined;
  if (processes === undefined) return [];
  const say = reporterOf({ check: "processes" });
  if (!processes.ok) {
    return [
      say.warning(
        `what an agent leaves running may outlive it: ${processes.error}`,
        "see docs/runs.md#processes for what a PID namespace needs of the host",
      ),
    ];
  }
  const kept = "nothing that an agent starts outlives it: each command has a PID namespace";
  const user = processes.value === "user-namespace" ? ", in a user namespace without sudo" : "";
  return [say.ok(`${kept}${user}`)];
}

interface IdentityFacts {
  readonly appId: number;
  readonly source: "environment" | "file";
  /** This is the path of the file that holds the identity, when others can read it. */
  readonly exposed: string | undefined;
}

/** Compares versions by their numbers. */
export function isAtLeast(version: string, wanted: string): boolean {
  const [have, need] = [version, wanted].map((text) => text.split(".").map(Number));
  for (const [at, number] of (need ?? []).entries()) {
    const other = have?.[at] ?? 0;
    if (Number.isNaN(other) || other < number) return false;
    if (other > number) return true;
  }
  return true;
}
