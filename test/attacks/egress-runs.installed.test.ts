import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppProcess } from "../support/app-process.ts";
import { bubblewrapWorks } from "../support/installed.ts";
import { killAgents, runningAgents } from "../support/landed-once.ts";
import { PODMAN_ARGS, realPodman } from "../support/podman.ts";
import { World } from "../support/world.ts";

const PODMAN = await realPodman();
const SANDBOXES = [
  { sandbox: "bubblewrap", works: await bubblewrapWorks() },
  { sandbox: "container", works: PODMAN !== undefined },
];
const OUTBOUND = new URL("../support/outbound.mjs", import.meta.url).pathname;

let world: World;
let app: AppProcess;
let named: Server;
let waiting: ServerResponse[];

/** Whatever asks for `/wait` is answered later; everything else at once. */
beforeEach(async () => {
  waiting = [];
  named = createServer((request, response) => {
    if (request.url === "/wait") waiting.push(response);
    else response.end("named");
  });
  named.listen(0, "127.0.0.1");
  await once(named, "listening");
});
afterEach(async () => {
  await app.kill();
  await killAgents(world);
  await world.close();
  named.close();
  named.closeAllConnections();
});

const address = (): string => `127.0.0.1:${(named.address() as AddressInfo).port}`;
const outbound = (attempts: string): string => `"${process.execPath}" "${OUTBOUND}" '${attempts}'`;
const attemptsAt = (...hosts: readonly string[]): string =>
  JSON.stringify([
    ...hosts.flatMap((host) => {
      const [name = "", port = ""] = host.split(":");
      return [
        { way: "tunnel", to: host },
        { way: "direct", host: name, port: Number(port) },
      ];
    }),
  ]);

const folder = dirname(OUTBOUND);
/** What shows the tests' program in each sandbox. */
const SHOWN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  bubblewrap: { readable: [folder, process.execPath] },
  container: {
    container: {
      ...PODMAN,
      args: [...PODMAN_ARGS, "--mount", `type=bind,source=${folder},target=${folder},readonly`],
    },
  },
};

async function createWorld(sandbox: string): Promise<void> {
  const command = `${outbound(`http://${address()}/wait`)} > src/a.txt`;
  const check = outbound(attemptsAt(address()).replace("]", `,{"way":"interfaces"}]`));
  world = await World.create({
    startApp: false,
    repository: { setup: `echo setup && ${check}`, verify: `echo verify && ${check}` },
    operator: {
      sandbox,
      ...SHOWN[sandbox],
      reconcileEvery: "500ms",
      runners: { agent: { command, env: ["AGENT_DIR"], network: [address()] } },
      network: { train: "none" },
    },
  });
  app = new AppProcess(world);
  world.approveEverything();
  await app.start();
  await world.addTask({ id: "a", files: ["src/a.txt"] });
  world.moveToReady("a");
  await world.until("the agent asks", () => waiting.length === 1);
}

/** What the commands of a kind of log printed: the first word of each tells which. */
async function printed(kind: RegExp): Promise<readonly string[]> {
  const folder = join(world.folder, "app", "logs");
  const names = (await readdir(folder)).filter((name) => kind.test(name));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return texts.flatMap((text) => text.trim().split("\n"));
}

/** What each command of a log could reach. An open container has an interface of its own, and no loopback of the host's. */
function networksIn(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    if (line === "setup" || line === "verify") return [line];
    if (!line.startsWith("[")) return [];
    const [tunnel, direct, interfaces] = JSON.parse(line) as readonly string[];
    if (tunnel === "200 200 named" && interfaces === "lo") return ["named hosts"];
    return direct === "200 named" || interfaces !== "lo" ? ["open"] : ["none"];
  });
}

describe.each(SANDBOXES)("egress: a run of an agent with named hosts, in $sandbox", (where) => {
  const { sandbox, works } = where;
  it.skipIf(!works)(
    "keeps its way out, and no other, while the server is killed, and is taken up again",
    async () => {
      await createWorld(sandbox);
      await app.kill();
      const control = new URL(app.webhookUrl).host;
      const github = new URL(world.github.url).host;
      waiting[0]?.end(attemptsAt(address(), github, control));
      await world.until(
        "the agent ended alone",
        async () => (await runningAgents(world)).length === 0,
      );
      await app.start();
      await world.untilColumn("Done", "a");

      const answers = JSON.parse((await world.mainFiles())["src/a.txt"] ?? "") as readonly string[];
      expect(answers).toEqual([
        "200 200 named",
        "ECONNREFUSED",
        `403 ${github} is not named`,
        "ECONNREFUSED",
        `403 ${control} is not named`,
        "ECONNREFUSED",
      ]);
      expect(waiting).toHaveLength(1);
      const run = await printed(/^(?!verify)/);
      expect(run).toContain(`wavetrain: network: refused ${github}: is not named`);
      expect(run).toContain(`wavetrain: network: refused ${control}: is not named`);
      // Setup is open, verify of the change has the runner's network, and the train's has none.
      expect(networksIn(run)).toEqual(["setup", "open", "verify", "named hosts"]);
      const train = networksIn(await printed(/^verify/));
      expect(train.length).toBeGreaterThan(3);
      expect(train.join(" ")).toMatch(/^(?:setup open verify none ?)+$/);
    },
  );

  it.skipIf(!works)(
    "ends with all that kept its way open when its card is taken away",
    async () => {
      await createWorld(sandbox);
      expect((await runningAgents(world)).length).toBeGreaterThan(3);
      world.moveCard("a", "Backlog");
      await world.until("nothing is left", async () => (await runningAgents(world)).length === 0);
      await world.until("its input is gone", async () => {
        const left = await readdir(join(world.folder, "app", "tmp")).catch(() => []);
        return left.length === 0;
      });
    },
  );
});
