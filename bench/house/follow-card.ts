import type { Profiler } from "node:inspector";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { WebhookStack } from "./count-hops.ts";

/** What one card passes from Ready to landed. */
export interface CardsWay {
  readonly cardFiles: number;
  readonly cardFunctions: number;
  readonly storeReads: number;
  readonly ticks: number;
  readonly trainDecisions: number;
  /** Between files, from a webhook to the tick that it causes. */
  readonly webhookHops: number;
}

interface TestWorld {
  addTask(task: { id: string; files: string[]; script: object }): Promise<unknown>;
  moveToReady(id: string): void;
  untilColumn(column: string, id: string): Promise<void>;
  settle(): Promise<void>;
  close(): Promise<void>;
  pull(id: string): unknown;
  readonly app: { readonly store: { unseenSignals(): unknown } };
  readonly github: { as(name: string): { approve(pull: unknown): void } };
}

/** The tests' world of a checkout, which need not be this one. */
async function openWorld(root: string): Promise<TestWorld> {
  const at = pathToFileURL(join(root, "test/support/world.ts")).href;
  const { World } = (await import(at)) as { World: { create(): Promise<TestWorld> } };
  return World.create();
}

/** Lands one card and counts the functions of the app that were called on its way. */
export async function followCard(root: string): Promise<CardsWay> {
  const world = await openWorld(root);
  const session = new Session();
  session.connect();
  try {
    const script = { writes: { "src/greet.txt": "hello\n" } };
    await world.addTask({ id: "greet", files: ["src/greet.txt"], script });
    await world.settle();
    const webhook = new WebhookStack();
    webhook.watch(world.app.store);
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await session.post("Profiler.takePreciseCoverage");
    world.moveToReady("greet");
    await world.untilColumn("In review", "greet");
    world.github.as("bob").approve(world.pull("greet"));
    await world.untilColumn("Done", "greet");
    await world.settle();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const way = summary(result, `${pathToFileURL(join(root, "src")).href}/`);
    return { ...way, webhookHops: webhook.hops };
  } finally {
    session.disconnect();
    await world.close();
  }
}

function summary(
  scripts: readonly Profiler.ScriptCoverage[],
  src: string,
): Omit<CardsWay, "webhookHops"> {
  const own = scripts
    .filter(({ url }) => url.startsWith(src) && !/\/(local-github|cli)\//.test(url))
    .map(({ url, functions }) => ({
      path: url.slice(src.length).replace(/\?.*$/, ""),
      called: functions.filter(
        ({ functionName, ranges: [whole] }) =>
          // The module itself is a function without a name that begins with the file.
          (functionName !== "" || whole?.startOffset !== 0) && (whole?.count ?? 0) > 0,
      ),
    }))
    .filter(({ called }) => called.length > 0);
  const calls = (path: RegExp, name: string): number =>
    own
      .filter((script) => path.test(script.path))
      .flatMap(({ called }) => called)
      .filter(({ functionName }) => functionName === name)
      .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
  return {
    cardFiles: own.length,
    cardFunctions: own.reduce((sum, { called }) => sum + called.length, 0),
    storeReads: calls(/remember-repos\.ts$/, "read"),
    ticks: calls(/(^|\/)lane\.ts$/, "#tick"),
    trainDecisions: calls(/train\/(decide\/)?decide\.ts$/, "decide"),
  };
}
