import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type {
  GraphqlExchange,
  Observer,
  RestExchange,
} from "../../../local-github/wire/observer.ts";
import type { Entry } from "../../../src/domain/entry.ts";
import { repoName } from "../../../src/domain/ids.ts";
import type { Task } from "../../../src/domain/task.ts";
import type { HurriedClock } from "../../support/hurried-clock.ts";
import { World } from "../../support/world.ts";

export const SHOP = repoName("acme/shop");

type Options = Parameters<typeof World.create>[0];

/** A world with tasks whose pull requests wait for a review. */
export async function underReview(
  options: Options = {},
  ...ids: readonly string[]
): Promise<World> {
  const world = await World.create(options);
  await bringUnderReview(world, ...(ids.length === 0 ? ["task"] : ids));
  return world;
}

export async function bringUnderReview(world: World, ...ids: readonly string[]): Promise<void> {
  await world.addTasks(ids.map((id) => ({ id, files: [`${id}/file.txt`] })));
  world.moveToReady(...ids);
  await world.untilColumn("In review", ...ids);
  await world.settle();
}

export function approve(world: World, ...ids: readonly string[]): void {
  for (const id of ids) world.github.as("bob").approve(world.pull(id));
}

export async function taskOf(world: World, id: string): Promise<Task | undefined> {
  return (await world.tasks()).find(({ issue }) => issue === world.issue(id).number);
}

/** The latest entry of a task. */
export async function entryOf(world: World, id: string): Promise<Entry | undefined> {
  const task = await taskOf(world, id);
  const { entries } = await world.app.store.readRepo(SHOP);
  return entries.findLast((entry) => entry.task === task?.id);
}

/** Why the task's entries moved, in order. */
export async function storyOf(world: World, id: string): Promise<readonly string[]> {
  const task = await taskOf(world, id);
  const { entries } = await world.app.store.readRepo(SHOP);
  const own = entries.filter((entry) => entry.task === task?.id).map((entry) => String(entry.id));
  const events = await world.app.store.events(0, 1_000_000);
  return events.flatMap(({ change }) =>
    change.kind === "entry-moved" && own.includes(change.entry) ? [change.reason] : [],
  );
}

/** Counts what the app writes: the writes that GitHub refused by kind, and the others. */
export class Writes implements Observer {
  readonly refused: string[] = [];
  readonly taken: string[] = [];

  rest({ method, path, status }: RestExchange): void {
    // Asking for a token is no write.
    if (method === "GET" || path.endsWith("/access_tokens")) return;
    if (status >= 400) this.refused.push(`${method} ${path} ${status}`);
    else this.taken.push(`${method} ${path}`);
  }

  graphql({ document, result }: GraphqlExchange): void {
    if (!document.includes("mutation")) return;
    const { errors } = result as { readonly errors?: readonly { readonly type?: string }[] };
    if (errors === undefined) this.taken.push(document);
    else this.refused.push(errors.map(({ type }) => type ?? "").join(", "));
  }
}

/** Lets ten minutes pass, fifteen seconds at a time. */
export async function tenMinutes(world: World, clock: HurriedClock): Promise<void> {
  for (let passed = 0; passed < 600; passed += 15) {
    clock.skip(15_000);
    await clock.caughtUp();
    await world.settle();
  }
}

/** A verify command that does not end while the gate is shut, for trees that have a file of this name. */
export class Gate {
  readonly #hold: string;

  private constructor(hold: string) {
    this.#hold = hold;
  }

  static async create(): Promise<Gate> {
    return new Gate(join(await mkdtemp(join(tmpdir(), "wavetrain-gate-")), "hold"));
  }

  before(file: string): string {
    return `if test -f ${file}; then while test -e ${this.#hold}; do sleep 0.02; done; fi`;
  }

  async shut(): Promise<void> {
    await writeFile(this.#hold, "");
  }

  async open(): Promise<void> {
    await rm(this.#hold);
  }

  async remove(): Promise<void> {
    await rm(dirname(this.#hold), { recursive: true });
  }
}
