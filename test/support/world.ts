import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { startApp } from "../../src/app.ts";
import type { RunningApp } from "../../src/run-app.ts";
import { readAppManifest } from "../../src/cli/try/app-manifest.ts";
import type { Reasons } from "../../src/config/differences.ts";
import { operatorConfigSchema } from "../../src/config/schema.ts";
import { repoName } from "../../src/domain/ids.ts";
import type { RepoName } from "../../src/domain/ids.ts";
import type { Task } from "../../src/domain/task.ts";
import { aliasMarker } from "../../src/domain/task-alias.ts";
import { readControlFile } from "../../src/http/control-file.ts";
import type { Status } from "../../src/http/status.ts";
import type { Issue } from "../../src/local-github/model/issue.ts";
import { findField, optionOf } from "../../src/local-github/model/project.ts";
import type { Project } from "../../src/local-github/model/project.ts";
import type { PullRequest } from "../../src/local-github/model/pull-request.ts";
import type { Repository } from "../../src/local-github/model/repository.ts";
import type { Observer } from "../../src/local-github/observer.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { startLocalGitHub } from "../../src/local-github/start-local-github.ts";
import type { LocalGitHub, LocalGitHubOptions } from "../../src/local-github/start-local-github.ts";
import { toShell } from "./agent-script.ts";
import type { Script } from "./agent-script.ts";
import { appKey } from "./app-key.ts";
import { runGitText } from "./git-text.ts";
import { StrictObserver } from "./schemas/strict-observer.ts";

const AGENT = new URL("agent.sh", import.meta.url).pathname;
/** The tests' runner as the operator's file would name it. */
export const AGENT_RUNNER = {
  command: `sh "${AGENT}"`,
  slots: 8,
  env: ["AGENT_DIR"],
};
const HASTE = {
  github: { pacing: "off" },
  pool: { minFreeMemory: 0, retry: { backoff: "20ms", maxBackoff: "40ms" } },
  repository: { report: { waitingAfter: 0 } },
};
const COLUMNS = ["Backlog", "Ready", "In progress", "In review", "Queued", "Blocked", "Done"];
const POLL_MS = 20;
/** Long, because only a failure waits for all of it: a machine that does a dozen other things is no failure. */
const PATIENCE_MS = 200_000;

/** Why the world of the tests is not a server with an empty file. */
export const WORLD_REASONS: Reasons = {
  "github.pacing": "most tests are about what happens, not about when",
  sandbox: "the tests' agent writes into a folder that it shares with the test",
  minFreeMemory: "a dozen worlds share a small machine",
  "repositories.*.report.waitingAfter":
    "tests read what people are told, and not ten minutes later",
  retry: "nobody should wait ten seconds for a second attempt in a test",
};

export interface NewTask {
  readonly id: string;
  readonly files?: readonly string[];
  readonly dependsOn?: readonly string[];
  readonly labels?: readonly string[];
  readonly body?: string;
  readonly script?: Script;
  /** Backlog unless given. */
  readonly column?: string;
}

export interface WorldOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** Laid over the operator's configuration. */
  readonly operator?: Readonly<Record<string, unknown>>;
  /** What the operator fixes for the repository. */
  readonly repository?: Readonly<Record<string, unknown>>;
  /** Only the sandbox differs from a server with an empty file, besides addresses and sizes. */
  readonly defaults?: boolean;
  readonly startApp?: boolean;
  /** Of the app. */
  readonly clock?: Clock;
  /** False where the same exchanges happen hundreds of times: other tests hold them against the schemas. */
  readonly strict?: boolean;
  /** Hears everything instead of the schemas. */
  readonly listener?: Observer;
  /** The repository belongs to ann herself: there is no project, and nobody's board but labels. */
  readonly personal?: boolean;
  /** The project is ann's own: only a classic token of hers opens it. */
  readonly ownProject?: boolean;
  /** A permission of the manifest that was not granted. */
  readonly without?: string;
  /** Fields that the project has besides Status. */
  readonly fields?: readonly { readonly name: string; readonly dataType: "TEXT" | "NUMBER" }[];
  /** Limits and a pace other than the local GitHub's own. */
  readonly github?: Pick<LocalGitHubOptions, "limits" | "latency">;
  /** Of the server, besides what every test has. */
  readonly environment?: Readonly<Record<string, string>>;
}

interface JournalLine {
  readonly id: string;
  readonly attempt: number;
  readonly candidate: number;
  readonly what: "started" | "ended";
  /** Milliseconds, where the machine's `date` has them. */
  readonly at: string;
}

/** The real app on a local GitHub, with people who use it. Everything goes over HTTP and is held against GitHub's schemas. */
export class World {
  readonly folder: string;
  readonly github: LocalGitHub;
  readonly repository: Repository;
  readonly project: Project;
  readonly identity: { appId: number; privateKey: string; webhookSecret: string };
  readonly observer: StrictObserver;
  readonly #options: WorldOptions;
  readonly #issues = new Map<string, Issue>();
  #app: RunningApp | undefined;

  private constructor(
    parts: Pick<World, "folder" | "github" | "repository" | "project" | "identity" | "observer">,
    options: WorldOptions,
  ) {
    this.folder = parts.folder;
    this.github = parts.github;
    this.repository = parts.repository;
    this.project = parts.project;
    this.identity = parts.identity;
    this.observer = parts.observer;
    this.#options = options;
  }

  static async create(options: WorldOptions = {}): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), "wavetrain-world-"));
    const key = appKey();
    const webhookSecret = "a secret of the tests";
    const observer = new StrictObserver();
    const github = await startLocalGitHub({
      ...options.github,
      dataDir: join(folder, "github"),
      app: { id: 7, slug: "wavetrain", name: "wavetrain", publicKey: key.publicKey, webhookSecret },
      ...(options.strict !== false && { observer }),
      ...(options.listener !== undefined && { observer: options.listener }),
    });
    github.addOrganization("acme");
    for (const login of ["ann", "bob", "eve"]) github.addUser(login);
    const owner = options.personal === true ? "ann" : "acme";
    const repository = await github.addRepository({
      owner,
      name: "shop",
      from: options.files ?? { "README.md": "# shop\n", "src/a.txt": "a\n", "src/b.txt": "b\n" },
      roles: { ann: "admin", bob: "write", eve: "read" },
    });
    const { fields = [] } = options;
    const org = options.ownProject === true ? "ann" : "acme";
    const project = github.addProject({ org, title: "Board", columns: COLUMNS, fields });
    const { permissions: wanted, events } = await readAppManifest();
    const permissions = Object.fromEntries(
      Object.entries(wanted).filter(([name]) => name !== options.without),
    );
    github.installApp({ account: owner, permissions, events });
    const identity = { appId: 7, privateKey: key.privateKey, webhookSecret };
    const world = new World({ folder, github, repository, project, identity, observer }, options);
    await mkdir(world.agentFolder, { recursive: true });
    if (options.startApp !== false) await world.startApp();
    return world;
  }

  get repo(): RepoName {
    return repoName(this.#options.personal === true ? "ann/shop" : "acme/shop");
  }

  get agentFolder(): string {
    return join(this.folder, "agent");
  }

  get environment(): Readonly<Record<string, string | undefined>> {
    return {
      PATH: process.env.PATH,
      AGENT_DIR: this.agentFolder,
      SECRET_OF_THE_SERVER: "x",
      ...this.#options.environment,
    };
  }

  /** Where an app in a process of its own writes. */
  get appLog(): string {
    return join(this.folder, "app.log");
  }

  get app(): RunningApp {
    if (this.#app === undefined) throw new Error("the app is not running");
    return this.#app;
  }

  /** The operator's configuration, as an object that the file could hold. */
  operatorConfig(): Record<string, unknown> {
    const inHaste = this.#options.defaults !== true;
    return {
      dataDir: join(this.folder, "app"),
      server: { port: 0 },
      github: { apiUrl: this.github.url, gitUrl: this.github.url, ...(inHaste && HASTE.github) },
      runners: { agent: AGENT_RUNNER },
      sandbox: "none",
      slots: 8,
      ...(inHaste && HASTE.pool),
      repositories: {
        [this.repo]: {
          verify: "test -f README.md",
          limits: { parallel: 8 },
          ...(inHaste && HASTE.repository),
          ...this.#options.repository,
        },
      },
      ...this.#options.operator,
    };
  }

  async startApp(): Promise<void> {
    this.#app = await this.startServer({});
    this.github.setWebhookUrl(this.#app.webhookUrl);
  }

  /** One more of the app, which whoever starts it has to stop; GitHub does not know of it. */
  startServer(operator: Readonly<Record<string, unknown>>): Promise<RunningApp> {
    return startApp({
      operator: operatorConfigSchema.parse({ ...this.operatorConfig(), ...operator }),
      identity: this.identity,
      environment: this.environment,
      ...(this.#options.clock !== undefined && { clock: this.#options.clock }),
      log: pino({ level: process.env.LOG_LEVEL ?? "fatal" }, pino.destination(2)),
    });
  }

  async stopApp(): Promise<void> {
    // Of this very process: nothing may go on without it.
    await this.#app?.stop("stop");
    this.#app = undefined;
  }

  /** Opens an issue with its card; `file` tasks are labelled parallel-safe. */
  async addTask(task: NewTask): Promise<Issue> {
    const labels = [...(task.files === undefined ? [] : ["parallel-safe"]), ...(task.labels ?? [])];
    const issue = this.github.as("ann").openIssue({
      repo: this.repository,
      title: `Task ${task.id}`,
      body: this.#bodyOf(task),
      labels,
    });
    this.#issues.set(task.id, issue);
    const writes = { [task.files?.[0] ?? `${task.id}.txt`]: `${task.id}\n` };
    await this.rescript(task.id, task.script ?? { writes });
    if (this.#options.personal !== true || this.#options.ownProject === true) {
      this.github.addCard(this.project, issue, task.column ?? "Backlog");
    }
    return issue;
  }

  async addTasks(tasks: readonly NewTask[]): Promise<void> {
    for (const task of tasks) await this.addTask(task);
  }

  async rescript(id: string, script: Script): Promise<void> {
    await writeFile(join(this.agentFolder, `${id}.script`), toShell(script));
  }

  moveToReady(...ids: readonly string[]): void {
    for (const id of ids) this.moveCard(id, "Ready");
  }

  moveCard(id: string, column: string): void {
    this.github.as("ann").moveCard(this.issue(id), column);
  }

  issue(id: string): Issue {
    const issue = this.#issues.get(id);
    if (issue === undefined) throw new Error(`there is no task ${id}`);
    return issue;
  }

  /** Bob approves every pull request, now and later. */
  approveEverything(): void {
    const approve = (pull: PullRequest): void => {
      setImmediate(() => this.github.as("bob").approve(pull));
    };
    this.pulls()
      .filter((pull) => pull.state === "open")
      .forEach(approve);
    this.github.world.listeners.push((event) => {
      if (event.name !== "pull_request") return;
      if (event.action === "opened" || event.action === "synchronize") approve(event.pull);
    });
  }

  pulls(): readonly PullRequest[] {
    return [...this.github.world.threads.values()].filter(
      (thread) => thread.kind === "pull-request",
    );
  }

  /** The pull request that closes the task's issue. */
  pull(id: string): PullRequest {
    const number = this.issue(id).number;
    const pull = this.pulls().findLast((one) => one.body?.includes(`Closes #${number}.`));
    if (pull === undefined) throw new Error(`${id} has no pull request`);
    return pull;
  }

  column(id: string): string | undefined {
    return this.columnOf(this.issue(id));
  }

  columnOf(issue: Issue): string | undefined {
    const item = this.project.items.find((one) => one.content === issue);
    const field = findField(this.project, "Status");
    return item === undefined || field === undefined ? undefined : optionOf(item, field)?.name;
  }

  labels(id: string): readonly string[] {
    return this.issue(id).labels.map((label) => label.name);
  }

  async untilLabel(label: string, ...ids: readonly string[]): Promise<void> {
    await this.until(`${ids.join(", ")} labelled ${label}`, () =>
      ids.every((id) => this.labels(id).includes(label)),
    );
  }

  comments(id: string): readonly string[] {
    return this.issue(id).comments.map((comment) => comment.body);
  }

  /** Waits for what must come about; says what it waited for when it does not. */
  async until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!(await holds())) {
      if (Date.now() > deadline)
        throw new Error(`waited in vain until ${what}\n${await this.#story()}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async untilColumn(column: string, ...ids: readonly string[]): Promise<void> {
    await this.until(`${ids.join(", ")} in ${column}`, () =>
      ids.every((id) => this.column(id) === column),
    );
  }

  /** Resolves when nothing is under way: no webhook, tick, run or verification. */
  async settle(): Promise<void> {
    let before = -1;
    for (let now = await this.#lastEvent(); now !== before; now = await this.#lastEvent()) {
      before = now;
      await this.github.deliverySettled();
      await this.app.idle();
      await this.github.deliverySettled();
      await this.app.idle();
    }
  }

  /** The base branch's files and their text. */
  async mainFiles(): Promise<Record<string, string>> {
    const list = await runGitText(this.repository.dir, ["ls-tree", "-r", "--name-only", "main"]);
    const files: Record<string, string> = {};
    for (const path of list.split("\n").filter(Boolean)) {
      files[path] = await runGitText(this.repository.dir, ["show", `main:${path}`]);
    }
    return files;
  }

  async git(...args: readonly string[]): Promise<string> {
    return (await runGitText(this.repository.dir, args)).trim();
  }

  async journal(): Promise<readonly JournalLine[]> {
    const text = await readFile(join(this.agentFolder, "journal.jsonl"), "utf8").catch(() => "");
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as JournalLine);
  }

  /** Attempts of a task that got as far as the agent. */
  async attemptsOf(id: string): Promise<readonly number[]> {
    const lines = await this.journal();
    return lines.flatMap((line) => (line.id === id && line.what === "started" ? line.attempt : []));
  }

  async tasks(): Promise<readonly Task[]> {
    return (await this.app.store.readRepo(this.repo)).tasks;
  }

  async taskState(id: string): Promise<string | undefined> {
    const tasks = await this.tasks();
    return tasks.find((task) => task.issue === this.issue(id).number)?.state;
  }

  /** Folders of workspaces that are still there. */
  async workspaces(): Promise<readonly string[]> {
    const list = await readdir(join(this.folder, "app", "workspaces"), { recursive: true }).catch(
      () => [],
    );
    return list.filter((path) => path.endsWith(".git"));
  }

  /** GitHub's times have seconds: two moves of a card within one cannot be told apart. */
  async nextSecond(): Promise<void> {
    const second = Math.floor(Date.now() / 1000);
    await this.until("the next second", () => Math.floor(Date.now() / 1000) > second);
  }

  /** What the app has to say about the repository, as `wavetrain status` shows it. */
  async notices(): Promise<readonly string[]> {
    return (await this.status()).repositories.flatMap(({ notices }) => notices);
  }

  async status(): Promise<Status> {
    const control = await readControlFile(join(this.folder, "app"));
    if (control === undefined) throw new Error("the app has no control interface");
    const headers = { authorization: `Bearer ${control.token}` };
    const answer = await fetch(`${control.url}/wavetrain/status`, { headers });
    return (await answer.json()) as Status;
  }

  async signalAgents(name: string): Promise<void> {
    await writeFile(join(this.agentFolder, name), "");
  }

  async agentFile(name: string): Promise<string> {
    return readFile(join(this.agentFolder, name), "utf8");
  }

  /** Ends the world and fails if anything that was said breaks GitHub's schemas. */
  async close(): Promise<void> {
    await this.stopApp();
    await this.github.close();
    await rm(this.folder, { recursive: true, force: true });
    this.observer.assertNoViolations();
  }

  #bodyOf(task: NewTask): string {
    const dependencies = (task.dependsOn ?? []).map((id) => `#${this.issue(id).number}`);
    return [
      aliasMarker(task.id),
      task.body ?? `Do ${task.id}.`,
      ...(task.files === undefined
        ? []
        : [`### Files\n\n${task.files.map((file) => `- ${file}`).join("\n")}`]),
      ...(dependencies.length === 0 ? [] : [`Depends on ${dependencies.join(", ")}`]),
    ].join("\n\n");
  }

  async #lastEvent(): Promise<number> {
    return (await this.app.store.events(0, 1_000_000)).at(-1)?.seq ?? 0;
  }

  async #story(): Promise<string> {
    if (this.#app === undefined) return readFile(this.appLog, "utf8").catch(() => "");
    const events = await this.app.store.events(0, 1_000_000);
    return events
      .map(
        ({ subject, change }) =>
          `  ${subject} ${change.kind} ${"to" in change ? `${change.to}: ${change.reason}` : ""}`,
      )
      .join("\n");
  }
}
