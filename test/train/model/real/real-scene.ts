import { existsSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mintToken } from "../../../../local-github/actions/installations.ts";
import { git as runGit } from "../../../../local-github/git/git.ts";
import type { Repository } from "../../../../local-github/model/repository.ts";
import { startLocalGitHub } from "../../../../local-github/start-local-github.ts";
import type { LocalGitHub } from "../../../../local-github/start-local-github.ts";
import { createGit } from "../../../../src/adapters/git/create-git.ts";
import { createConnection } from "../../../../src/adapters/github/connection/connection.ts";
import type { Octokit } from "../../../../src/adapters/github/connection/connection.ts";
import { octokitFor } from "../../../../src/adapters/github/connection/probot.ts";
import { createGitHub } from "../../../../src/adapters/github/create-github.ts";
import { openStore } from "../../../../src/adapters/store/open-store.ts";
import { tick as hear } from "../../../../src/commands/tick.ts";
import type { RepoReading } from "../../../../src/domain/board.ts";
import { nameOf, ownerOf, runId, sha, taskIdOf } from "../../../../src/domain/ids.ts";
import type { Sha } from "../../../../src/domain/ids.ts";
import { newTrain } from "../../../../src/domain/train.ts";
import type { Deps, RepoContext } from "../../../../src/ports/deps.ts";
import type { GitHub } from "../../../../src/ports/github.ts";
import { AppError } from "../../../../src/shared/app-error.ts";
import { tick } from "../../../../src/train/tick.ts";
import { aConfig } from "../../../support/a-config.ts";
import { REPO, aRun, aSpec, aTask } from "../../../support/builders.ts";
import { SILENT } from "../instance.ts";
import { Invariants } from "../invariants.ts";
import { ModelClock } from "../model-clock.ts";
import type { ChangePlan, Setting } from "../scenario.ts";
import { BASE, areGreen, said, seenWith, storedFor } from "../scene.ts";
import type { Process, Stage, Ways } from "../stage.ts";
import { Turns } from "../turns.ts";
import { GitObjects } from "./git-objects.ts";
import { InFlight } from "./in-flight.ts";
import { RealHub } from "./real-hub.ts";
import { createRealInstance } from "./real-instance.ts";
import { RealPeople } from "./real-people.ts";
import { RealStore } from "./real-store.ts";

/** In memory where the machine offers that: what these runs are about is not the disk. */
const ROOT = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
/** As many hosts as processes at a time. */
const HOSTS = ["host-1", "host-2"];
const FOREVER_MS = 10 ** 12;
const PERMISSIONS = Object.fromEntries(
  ["contents", "pull_requests", "checks", "issues"].map((name) => [name, "write" as const]),
);

export interface RealSetting extends Setting {
  /** Git over HTTP, as the app has it; otherwise git reads and writes GitHub's repository on its disk, at a third of the cost. */
  readonly overHttp: boolean;
}

interface Foundation {
  readonly folder: string;
  readonly clock: ModelClock;
  readonly github: LocalGitHub;
  readonly repository: Repository;
  readonly store: RealStore;
}

/** The same as `Scene`, on the local GitHub with a bare repository, git, and the embedded store. */
export class RealScene implements Stage {
  readonly setting: RealSetting;
  readonly turns = new Turns();
  readonly clock: ModelClock;
  readonly hub: RealHub;
  readonly store: RealStore;
  readonly people: RealPeople;
  readonly invariants: Invariants;
  readonly processes: (Process & { readonly host: string })[] = [];
  readonly bugs: unknown[] = [];
  readonly #foundation: Foundation;
  readonly #ways: Ways;
  readonly #inFlight = new InFlight();
  readonly #context: RepoContext;
  readonly #remote: GitHub;
  #born = 0;
  #said = 0;

  private constructor(foundation: Foundation, setting: RealSetting, ways: Ways) {
    const { github, repository, store, clock, folder } = foundation;
    const { method, landing, batch, window } = setting;
    this.#foundation = foundation;
    this.#ways = ways;
    this.setting = setting;
    this.clock = clock;
    this.store = store;
    const mirrors = HOSTS.map((host) => mirrorOf(join(folder, host)));
    const objects = new GitObjects([repository.dir, ...mirrors]);
    this.hub = new RealHub({ github, repository, objects });
    this.people = new RealPeople(this.hub);
    this.#context = {
      repo: REPO,
      base: BASE,
      config: aConfig({
        verify: "check",
        merge: method,
        board: { kind: "labels" },
        train: { landing, batch, window },
      }),
    };
    this.#remote = this.#connect();
    this.invariants = new Invariants({
      hub: this.hub,
      store,
      byApi: landing === "merge-api",
      isGreen: (tree) => this.isGreen(tree),
    });
  }

  static async create(setting: RealSetting, ways: Ways): Promise<RealScene> {
    const folder = await mkdtemp(join(ROOT, "wavetrain-train-"));
    const clock = new ModelClock();
    const github = await startLocalGitHub({
      dataDir: join(folder, "github"),
      app: { id: 7, slug: "app", name: "app", publicKey: "", webhookSecret: "secret" },
      now: () => clock.now,
    });
    github.addOrganization(ownerOf(REPO));
    for (const login of ["ann", "bob"]) github.addUser(login);
    const repository = await github.addRepository({
      owner: ownerOf(REPO),
      name: nameOf(REPO),
      roles: { ann: "admin", bob: "write" },
    });
    github.installApp({ account: ownerOf(REPO), permissions: PERMISSIONS, events: [] });
    const opened = await openStore({ path: join(folder, "store"), now: () => clock.now });
    const store = new RealStore(opened, () => clock.now);
    await writeBranches(repository, setting);
    await github.refresh(repository);
    const scene = new RealScene({ folder, clock, github, repository, store }, setting, ways);
    for (const [at, change] of setting.changes.entries()) await scene.#open(change, at);
    if (setting.stacked) await scene.#stack();
    const first = newTrain(REPO, BASE, clock.now);
    await store.store.record(REPO, [{ kind: "train-added", train: first }]);
    scene.invariants.note();
    return scene;
  }

  isGreen(tree: Sha): boolean {
    return areGreen(this.hub.objects.files(tree));
  }

  start(): Process {
    this.#born += 1;
    const name = `process-${this.#born}`;
    const host = HOSTS.find((one) => !this.processes.some((other) => other.host === one)) ?? "";
    const { verify = (_: Sha, isGreen: boolean) => isGreen, random } = this.#ways;
    const shared = {
      turns: this.turns,
      inFlight: this.#inFlight,
      hub: this.hub,
      store: this.store,
      clock: this.clock,
      random,
      isGreen: (tree: Sha) => verify(tree, this.isGreen(tree)),
    };
    const ports = { git: this.#gitOn(host), github: this.#connect() };
    const deps = createRealInstance(name, ports, shared);
    const process = { name, host, deps, ticking: false };
    this.processes.push(process);
    return process;
  }

  kill(process: Process): void {
    const at = this.processes.findIndex(({ name }) => name === process.name);
    const [gone] = this.processes.splice(at, 1);
    this.turns.kill(process.name);
    // Half of the time its host is gone with it, and the next one begins with an empty disk.
    if (gone !== undefined && this.#ways.random() < 0.5) {
      rmSync(join(this.#foundation.folder, gone.host), { recursive: true, force: true });
    }
  }

  async read(): Promise<RepoReading> {
    const reading = await this.#remote.readRepo(REPO, this.#context.config);
    this.clock.pass(1);
    return reading;
  }

  tick(process: Process, reading: RepoReading): void {
    if (process.ticking) return;
    process.ticking = true;
    tick(this.#context, { reading, stored: storedFor(process) }, process.deps)
      .catch((error: unknown) => this.keepBug(error))
      .finally(() => {
        process.ticking = false;
      });
  }

  async say(words: string): Promise<void> {
    this.#said += 1;
    this.clock.pass(1);
    const signals = [said(words, this.#said)];
    const seen = seenWith({
      board: { cards: [], missingRoles: [] },
      pulls: [],
      readAt: this.clock.now,
    });
    const [process] = this.processes;
    if (process === undefined) return;
    const stored = storedFor(process);
    await hear(this.#context, { signals, seen, stored }, process.deps);
  }

  settled(): Promise<void> {
    return this.#inFlight.settled();
  }

  keepBug(error: unknown): void {
    if (!(error instanceof AppError)) this.bugs.push(error);
  }

  async check(): Promise<void> {
    if (this.bugs.length > 0) throw this.bugs[0];
    await this.store.readEvents();
    this.invariants.checkEnd();
  }

  async close(): Promise<void> {
    await this.#inFlight.settled();
    await this.store.close();
    await this.#foundation.github.close();
    await rm(this.#foundation.folder, { recursive: true, force: true });
  }

  #gitOn(host: string): Deps["git"] {
    const { folder, github, repository } = this.#foundation;
    return createGit({
      dataDir: join(folder, host),
      remoteUrl: () => (this.setting.overHttp ? `${github.url}/${REPO}.git` : repository.dir),
      token: () => Promise.resolve(this.#token()),
      now: () => this.clock.now,
      env: { PATH: process.env["PATH"] ?? "" },
    });
  }

  #connect(): GitHub {
    const Client = octokitFor();
    const options = { baseUrl: this.hub.github.url, log: SILENT };
    const client = new Client({ ...options, auth: { token: this.#token() } });
    // Who may speak for which repository is not what these runs are about.
    const data = [{ id: 1, suspended_at: null, permissions: {} }];
    const app = { rest: { apps: { listInstallations: () => ({ data, headers: {} }) } } };
    const connection = createConnection({
      asApp: () => Promise.resolve(app as unknown as Octokit),
      asInstallation: () => Promise.resolve(client),
    });
    return createGitHub(connection, () => this.clock.now);
  }

  #token(): string {
    const { world } = this.hub.github;
    const [installation] = world.installations;
    if (installation === undefined) throw new Error("not installed");
    const known = [...world.tokens.keys()][0];
    return known ?? mintToken(world, installation, { lifetimeMs: FOREVER_MS }).token;
  }

  async #open(change: ChangePlan, at: number): Promise<void> {
    const { github, repository } = this.hub;
    const issue = at + 1;
    const branch = branchOf(at);
    const pull = await github.as("ann").openPullRequest(repository, {
      title: `Change ${issue}`,
      head: branch,
    });
    if (this.#ways.approves?.() !== false) this.hub.approve(pull.number);
    const { dependsOn, priority } = change;
    const earlier =
      dependsOn !== undefined && dependsOn < at ? [taskIdOf(REPO, dependsOn + 1)] : [];
    const task = aTask({
      issue,
      branch,
      pull: pull.number,
      state: "review",
      changedAt: this.clock.now,
      spec: aSpec({ dependsOn: earlier, priority }),
    });
    const id = runId(`run-${issue}`);
    const head = sha(pull.headSha);
    const files = [pathOf(change)];
    const outcome = { kind: "succeeded", head, files, outside: [], notes: "" } as const;
    await this.store.store.record(REPO, [
      { kind: "task-added", task },
      { kind: "run-queued", run: aRun({ id, task: task.id, branch }) },
      { kind: "run-finished", run: id, outcome, at: this.clock.now },
    ]);
  }

  /** Someone's own pull request on top of the first one. */
  async #stack(): Promise<void> {
    const { github, repository } = this.hub;
    const wanted = { title: "Stacked", head: "stacked", base: branchOf(0) };
    await github.as("ann").openPullRequest(repository, wanted);
  }
}

function branchOf(at: number): string {
  return `wavetrain/${at + 1}`;
}

function pathOf({ file }: ChangePlan): string {
  return `src/file-${file}`;
}

function mirrorOf(dataDir: string): string {
  return join(dataDir, "mirrors", ownerOf(REPO), `${nameOf(REPO)}.git`);
}

/** The base and every change on a branch of its own, in one call of git. */
async function writeBranches({ dir }: Repository, setting: Setting): Promise<void> {
  const commits = [
    commit("refs/heads/main", undefined, { "README.md": "read me" }),
    ...setting.changes.map((change, at) =>
      commit(`refs/heads/${branchOf(at)}`, "refs/heads/main", {
        [pathOf(change)]: `${change.nature} ${at + 1}`,
      }),
    ),
    ...(setting.stacked
      ? [commit("refs/heads/stacked", `refs/heads/${branchOf(0)}`, { "stacked/file": "good" })]
      : []),
  ];
  const input = `${commits.join("")}done\n`;
  await runGit(dir, ["fast-import", "--quiet", "--done"], { input });
}

function commit(
  ref: string,
  from: string | undefined,
  files: Readonly<Record<string, string>>,
): string {
  const lines = [
    `commit ${ref}`,
    "committer Ann <ann@example.test> 1699999000 +0000",
    `data ${Buffer.byteLength(ref)}\n${ref}`,
    ...(from === undefined ? [] : [`from ${from}`]),
    ...Object.entries(files).map(
      ([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}`,
    ),
  ];
  return `${lines.join("\n")}\n\n`;
}
