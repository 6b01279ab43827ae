import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Difference } from "../../src/config/repository/differences.ts";
import { findLastingPort } from "../../test/support/lasting-port.ts";
import { createGitCounter } from "../git-counter.ts";
import type { GitCounts } from "../git-counter.ts";
import { readJournal } from "./journal.ts";
import type { AgentLife } from "./journal.ts";
import type { Scene } from "./scene.ts";
import { serverConfig } from "./server-config.ts";
import { ServerProcess } from "./server-process.ts";
import type { ProcessorTime } from "./server-process.ts";
import { buildTown } from "./town.ts";
import type { PACES, Town } from "./town.ts";

const LOOK_EVERY_MS = 50;
/** Nothing is asked of GitHub for so long when everything is said: words wait for up to ten seconds after a lot of work. */
const QUIET_MS = 15_000;
const LONGEST_TALK_MS = 180_000;
/** A server that starts one agent after the other and needs half a minute for each is given up only then. */
const PATIENCE_A_CARD_MS = 30_000;
/** After so many landings the memory is measured for the first time. */
const FIRST_LOOK = 100;

export interface Place {
  readonly program: string;
  readonly folder: string;
  readonly pace: keyof typeof PACES;
}

/** Everything that a scene showed; times are milliseconds. */
export interface Seen {
  readonly readyAt: number;
  readonly lives: readonly AgentLife[];
  readonly openedAt: ReadonlyMap<string, number>;
  readonly landedAt: ReadonlyMap<string, number>;
  readonly calls: number;
  readonly writes: number;
  readonly content: number;
  readonly processor: ProcessorTime;
  /** Of the part before the cards were ready. */
  readonly startUp: ProcessorTime;
  readonly git: GitCounts;
  /** Megabytes after 100 landings and at the end. */
  readonly memory: { readonly early: number | undefined; readonly end: number };
}

export async function runScene(
  scene: Scene,
  place: Place,
  tell: (differences: readonly Difference[]) => void,
): Promise<Seen> {
  const folder = join(place.folder, scene.name);
  await mkdir(folder, { recursive: true });
  const town = await buildTown(scene, { folder, pace: place.pace });
  const git = await createGitCounter(join(folder, "git"));
  const port = await findLastingPort();
  const journal = join(folder, "journal");
  const config = serverConfig(scene, {
    dataDir: join(folder, "app"),
    journal,
    port,
    githubUrl: town.github.url,
    repositories: town.repositories,
  });
  tell(config.differences);
  const file = join(folder, "wavetrain.config.yml");
  await writeFile(file, config.text);
  const environment = { ...town.environment, PATH: git.path, HOME: folder };
  const log = join(folder, "server.log");
  const command = { program: place.program, config: file, port, log, environment };
  town.github.setWebhookUrl(`http://127.0.0.1:${port}/api/github/webhooks`);
  const server = await ServerProcess.start(command);
  try {
    const seen = await watch(scene, town, server);
    return { ...seen, lives: await readJournal(journal), git: await git.take() };
  } finally {
    await server.stop();
    await town.github.close();
  }
}

async function watch(
  scene: Scene,
  town: Town,
  server: ServerProcess,
): Promise<Omit<Seen, "lives" | "git">> {
  await quiet(town);
  const startUp = server.processorTime();
  const readyAt = Date.now();
  town.makeReady();
  const deadline = readyAt + scene.cards * (scene.agentMs + PATIENCE_A_CARD_MS);
  let early: number | undefined;
  while (town.landedAt.size < scene.cards && Date.now() < deadline) {
    await pause(LOOK_EVERY_MS);
    server.mustRun();
    if (town.landedAt.size >= FIRST_LOOK) early ??= server.residentMegabytes();
  }
  await quiet(town);
  const { rest, graphql, writes } = town.github.calls();
  return {
    readyAt,
    openedAt: town.openedAt,
    landedAt: town.landedAt,
    calls: rest + graphql,
    writes,
    content: town.counter.contentWrites,
    processor: server.processorTime(),
    startUp,
    memory: { early, end: server.residentMegabytes() },
  };
}

/** Until the server has nothing more to say. */
async function quiet({ github }: Town): Promise<void> {
  const calls = (): number => github.calls().rest + github.calls().graphql;
  const latest = Date.now() + LONGEST_TALK_MS;
  let [last, since] = [calls(), Date.now()];
  while (Date.now() - since < QUIET_MS && Date.now() < latest) {
    await pause(LOOK_EVERY_MS);
    if (calls() !== last) [last, since] = [calls(), Date.now()];
  }
}
