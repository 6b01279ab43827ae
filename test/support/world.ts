import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLocalGitHub } from "../../local-github/start-local-github.ts";
import { readAppManifest } from "../../src/cli/text/package-file.ts";
import { appKey } from "./app-key.ts";
import { StrictObserver } from "./schemas/strict-observer.ts";
import type { WorldOptions } from "./world-options.ts";
import { WorldSight } from "./world-sight.ts";

const COLUMNS = ["Backlog", "Ready", "In progress", "In review", "Queued", "Blocked", "Done"];
const POLL_MS = 20;
/** Of the time that a look takes, so that one that starts a program leaves the machine to what is waited for. */
const REST_AFTER_LOOK = 4;
/** Long, because only a failure waits for all of it: a machine that does a dozen other things is no failure. */
const TIMEOUT_MS = 200_000;

/** The real app on a local GitHub, with people who use it. Everything goes over HTTP and is held against GitHub's schemas. */
export class World extends WorldSight {
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
      Object.entries({ ...wanted, ...options.granted }).filter(
        ([name]) => name !== options.without,
      ),
    );
    github.installApp({ account: owner, permissions, events });
    const identity = { appId: 7, privateKey: key.privateKey, webhookSecret };
    const world = new World({ folder, github, repository, project, identity, observer }, options);
    await mkdir(world.agentFolder, { recursive: true });
    if (options.startApp !== false) await world.startApp();
    return world;
  }

  /** Waits for what must come about; says what it waited for when it does not. */
  async until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = Date.now() + TIMEOUT_MS;
    for (;;) {
      const looked = Date.now();
      if (await holds()) return;
      if (Date.now() > deadline)
        throw new Error(`waited in vain until ${what}\n${await this.#story()}`);
      const restMs = Math.max(POLL_MS, (Date.now() - looked) * REST_AFTER_LOOK);
      await new Promise((resolve) => setTimeout(resolve, restMs));
    }
  }

  async untilColumn(column: string, ...ids: readonly string[]): Promise<void> {
    await this.until(`${ids.join(", ")} in ${column}`, () =>
      ids.every((id) => this.column(id) === column),
    );
  }

  async untilLabel(label: string, ...ids: readonly string[]): Promise<void> {
    await this.until(`${ids.join(", ")} labelled ${label}`, () =>
      ids.every((id) => this.labels(id).includes(label)),
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

  /** GitHub's times have seconds: two moves of a card within one cannot be told apart. */
  async nextSecond(): Promise<void> {
    const second = Math.floor(Date.now() / 1000);
    await this.until("the next second", () => Math.floor(Date.now() / 1000) > second);
  }

  /** Ends the world and fails if anything that was said breaks GitHub's schemas. */
  async close(): Promise<void> {
    await this.stopApp();
    await this.github.close();
    await rm(this.folder, { recursive: true, force: true });
    this.observer.assertNoViolations();
  }

  async #lastEvent(): Promise<number> {
    return (await this.app.store.events(0, 1_000_000)).at(-1)?.seq ?? 0;
  }

  async #story(): Promise<string> {
    if (!this.isRunning) return readFile(this.appLog, "utf8").catch(() => "");
    const events = await this.app.store.events(0, 1_000_000);
    return events
      .map(
        ({ subject, change }) =>
          `  ${subject} ${change.kind} ${"to" in change && "reason" in change ? `${change.to}: ${change.reason}` : ""}`,
      )
      .join("\n");
  }
}
