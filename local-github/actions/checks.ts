import type { User } from "../model/account.ts";
import type { App } from "../model/app.ts";
import type {
  CheckAction,
  CheckAnnotation,
  CheckConclusion,
  CheckOutput,
  CheckRun,
  CheckStatus,
  CheckSuite,
  CommitStatus,
  StatusState,
} from "../model/check.ts";
import { identity } from "../model/ids.ts";
import type { Repository } from "../model/repository.ts";
import { announce, register, stamp } from "../model/world.ts";
import type { World } from "../model/world.ts";

export interface CheckRunEdit {
  readonly name?: string;
  readonly status?: CheckStatus;
  readonly conclusion?: CheckConclusion;
  readonly startedAt?: string;
  readonly completedAt?: string;
  readonly externalId?: string;
  readonly detailsUrl?: string;
  readonly output?: CheckOutput;
  readonly actions?: readonly CheckAction[];
  readonly annotations?: readonly CheckAnnotation[];
  readonly actor: User;
}

export interface NewCheckRun extends CheckRunEdit {
  readonly name: string;
  readonly headSha: string;
  /** The App of this GitHub reports it when no other is given. */
  readonly app?: App;
}

export function createCheckRun(
  world: World,
  repository: Repository,
  wanted: NewCheckRun,
): CheckRun {
  const run: CheckRun = register(world, {
    kind: "check-run",
    ...identity(world, "CR"),
    suite: suiteFor(world, repository, wanted),
    name: wanted.name,
    status: "queued",
    conclusion: null,
    startedAt: null,
    completedAt: null,
    externalId: "",
    detailsUrl: world.url,
    output: { title: null, summary: null, text: null },
    actions: [],
    annotations: [],
  });
  applyEdit(world, run, wanted);
  world.checkRuns.push(run);
  announce(world, { name: "check_run", action: "created", run, sender: wanted.actor });
  if (run.status === "completed") {
    announce(world, { name: "check_run", action: "completed", run, sender: wanted.actor });
  }
  return run;
}

export function updateCheckRun(world: World, run: CheckRun, edit: CheckRunEdit): void {
  const before = run.status;
  applyEdit(world, run, edit);
  if (run.status === "completed" && before !== "completed") {
    announce(world, { name: "check_run", action: "completed", run, sender: edit.actor });
  }
}

/** Presses a button on the check run: the App gets the identifier of the action. */
export function requestAction(
  world: World,
  run: CheckRun,
  wanted: { readonly identifier: string; readonly actor: User },
): void {
  announce(world, {
    name: "check_run",
    action: "requested_action",
    run,
    identifier: wanted.identifier,
    sender: wanted.actor,
  });
}

/** Happens when a person presses "Re-run". */
export function rerequestCheckRun(world: World, run: CheckRun, actor: User): void {
  announce(world, { name: "check_run", action: "rerequested", run, sender: actor });
}

function applyEdit(world: World, run: CheckRun, edit: CheckRunEdit): void {
  const { name, externalId, detailsUrl, output, actions } = edit;
  Object.assign(run, given({ name, externalId, detailsUrl, output, actions }));
  run.annotations = [...run.annotations, ...(edit.annotations ?? [])];
  applyState(world, run, edit);
  run.suite.updatedAt = stamp(world);
}

/** A conclusion completes the run, whatever status came with it. No status leads a completed run back. */
function applyState(world: World, run: CheckRun, edit: CheckRunEdit): void {
  const { conclusion, startedAt, completedAt } = edit;
  run.startedAt = startedAt ?? run.startedAt ?? stamp(world);
  if (conclusion === undefined) {
    if (run.status !== "completed") run.status = edit.status ?? run.status;
    return;
  }
  run.conclusion = conclusion;
  run.status = "completed";
  run.completedAt = completedAt ?? stamp(world);
}

function given<T extends object>(members: T): Partial<T> {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Partial<T>;
}

/** Finds or makes the suite that an App has for a commit. */
function suiteFor(
  world: World,
  repository: Repository,
  { headSha, app = world.app }: NewCheckRun,
): CheckSuite {
  const present = world.checkSuites.find(
    (suite) =>
      suite.repository === repository && suite.headSha === headSha && suite.app.id === app.id,
  );
  if (present !== undefined) return present;
  const suite: CheckSuite = register(world, {
    kind: "check-suite",
    ...identity(world, "CS"),
    repository,
    app,
    headSha,
    headBranch: branchAt(repository, headSha),
    createdAt: stamp(world),
    updatedAt: stamp(world),
  });
  world.checkSuites.push(suite);
  return suite;
}

function branchAt(repository: Repository, sha: string): string | null {
  for (const [ref, tip] of repository.refs) {
    if (tip === sha && ref.startsWith("refs/heads/")) return ref.slice("refs/heads/".length);
  }
  return null;
}

export interface NewStatus {
  readonly sha: string;
  readonly state: StatusState;
  readonly context?: string;
  readonly description?: string | null;
  readonly targetUrl?: string | null;
  readonly actor: User;
}

export function createStatus(
  world: World,
  repository: Repository,
  wanted: NewStatus,
): CommitStatus {
  const status: CommitStatus = register(world, {
    kind: "status",
    ...identity(world, "SC"),
    repository,
    sha: wanted.sha,
    state: wanted.state,
    context: wanted.context ?? "default",
    description: wanted.description ?? null,
    targetUrl: wanted.targetUrl ?? null,
    creator: wanted.actor,
    createdAt: stamp(world),
  });
  world.statuses.push(status);
  announce(world, { name: "status", action: null, status, sender: wanted.actor });
  return status;
}
