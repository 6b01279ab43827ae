import { existsSync } from "node:fs";
import { open, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { further, some } from "../support/further.ts";
import { bubblewrapWorks } from "../support/installed.ts";
import { type NewTask } from "../support/world-options.ts";
import { World } from "../support/world.ts";

const WORKS = await bubblewrapWorks();
const SANDBOXES = [
  { sandbox: "none", skipped: false },
  { sandbox: "bubblewrap", skipped: !WORKS },
] as const;

/** As npm reads `script-shell` in `~/.npmrc`: the HOME says who runs the scripts of an installation. */
const SETUP = `shell=$(cat "$HOME/.toolrc" 2>/dev/null || echo sh)\n"$shell" tools/install.sh\n`;
const INSTALL = `mkdir -p node_modules/lint\ncp tools/lint.sh node_modules/lint/run.sh\n`;
const LINT = `! grep -rq forbidden src\n`;
const FILES = {
  ".gitignore": "node_modules/\n",
  "package-lock.json": "1\n",
  "tools/setup.sh": SETUP,
  "tools/install.sh": INSTALL,
  "tools/lint.sh": LINT,
  "src/a.txt": "a\n",
  "src/b.txt": "b\n",
};

/** Does what it should, and then spoils what it made. */
const EVIL_SHELL = `#!/bin/sh
sh "$@"
echo true > node_modules/lint/run.sh
`;
const PLANT = `cat > "$HOME/evil" <<'END'
${EVIL_SHELL}END
chmod +x "$HOME/evil"
echo "$HOME/evil" > "$HOME/.toolrc"`;
/** Every agent can deceive the verification of its own run; the train's is what counts. */
const DECEIVE = `echo true > node_modules/lint/run.sh`;

let world: World;
afterEach(() => world.close());

/** Agents are a line of shell for each attempt at each task: in a sandbox they see no file of the tests. */
async function createWorld(
  sandbox: string,
  agents: Readonly<Record<string, string>>,
): Promise<void> {
  const cases = Object.entries(agents).map(([name, script]) => `${name})\n${script}\n;;`);
  const command = `case "$WAVETRAIN_TASK_ID.$WAVETRAIN_ATTEMPT" in\n${cases.join("\n")}\nesac`;
  world = await World.create({
    files: FILES,
    operator: { sandbox, runners: { agent: { command } }, reconcileEvery: "500ms" },
    repository: {
      setup: "sh tools/setup.sh",
      verify: "sh node_modules/lint/run.sh",
      limits: { attempts: 1 },
      feedback: { quiet: "50ms" },
    },
  });
}

async function ready(task: NewTask): Promise<void> {
  await world.addTask(task);
  world.moveToReady(task.id);
}

/** What the train made of the change, once bob has approved it. */
async function fateOf(id: string): Promise<string | undefined> {
  const pull = world.pull(id);
  world.github.as("bob").approve(pull);
  let fate: string | undefined;
  await world.until(`the train has judged ${id}`, async () => {
    const { entries } = await world.app.store.readRepo(world.repo);
    fate = entries.findLast((entry) => entry.pull === pull.number)?.state;
    return fate === "landed" || fate === "rejected";
  });
  return fate;
}

/** Every copy of the forbidding program that would be given to others. */
async function keptCopies(): Promise<readonly string[]> {
  const root = join(world.folder, "app", "setups");
  const found = await readdir(root, { recursive: true }).catch(() => []);
  const programs = found.filter((path) => path.endsWith("lint/run.sh"));
  return Promise.all(programs.map((path) => readFile(join(root, path), "utf8")));
}

/** How the runs of a task ended, once there are that many. */
async function outcomesOf(id: string, count: number): Promise<readonly string[]> {
  let outcomes: readonly string[] = [];
  await world.until(`${id} has ended ${count} times`, async () => {
    const { runs } = await world.app.store.readRepo(world.repo);
    const own = runs.filter(({ task }) => task === `${world.repo}#${world.issue(id).number}`);
    outcomes = own.flatMap(({ outcome }) => outcome?.kind ?? []);
    return outcomes.length === count;
  });
  await world.settle();
  return outcomes;
}

describe.each(some(SANDBOXES))(
  "1: an agent poisons setup, sandbox $sandbox",
  ({ sandbox, skipped }) => {
    it.skipIf(skipped)(
      "A: by its HOME, before somebody else changes the lockfile of the base",
      async () => {
        await createWorld(sandbox, {
          "evil.1": `${PLANT}\nexit 3`,
          "evil.2": "exit 3",
          "sly.1": `${DECEIVE}\necho forbidden > src/b.txt`,
          "honest.1": "echo forbidden > src/b.txt",
        });
        await ready({ id: "evil", files: ["src/a.txt"] });
        expect(await outcomesOf("evil", 1)).toEqual(["failed"]);
        const bump = { files: { "package-lock.json": "2\n" }, message: "Bump" };
        await world.github.as("ann").push(world.repository, "main", bump);
        await world.nextSecond();
        world.moveToReady("evil");
        expect(await outcomesOf("evil", 2)).toEqual(["failed", "failed"]);

        await ready({ id: "sly", files: ["src/b.txt"] });
        expect(await outcomesOf("sly", 1)).toEqual(["succeeded"]);
        expect(await fateOf("sly")).toBe("rejected");
        expect((await world.mainFiles())["src/b.txt"]).toBe("b\n");

        await ready({ id: "honest", files: ["src/b.txt"] });
        expect(await outcomesOf("honest", 1)).toEqual(["verify-failed"]);
        expect(await keptCopies()).toEqual([LINT, LINT]);
      },
    );

    it.skipIf(skipped)("B: by its HOME and a lockfile of its own, in a rework", async () => {
      await createWorld(sandbox, {
        "evil.1": `${PLANT}\necho 2 > package-lock.json\necho fine > src/a.txt`,
        "evil.2": "echo forbidden > src/a.txt",
      });
      await ready({ id: "evil", files: ["src/a.txt"] });
      expect(await outcomesOf("evil", 1)).toEqual(["succeeded"]);
      world.github.as("bob").requestChanges(world.pull("evil"), "Not quite there.");
      // The setup of its own run is its own to spoil.
      expect(await outcomesOf("evil", 2)).toEqual(["succeeded", "succeeded"]);

      expect(await fateOf("evil")).toBe("rejected");
      expect((await world.mainFiles())["src/a.txt"]).toBe("a\n");
      expect(await keptCopies()).toEqual([LINT]);
    });
  },
);

describe("1: a folder that an agent still holds, or handed to another one", () => {
  it("is none of those that the train verifies in", async () => {
    const meet = `A=\${HOME%/app/homes/*}/agent`;
    const wait = `touch "$A/verifying"; until test -e "$A/written"; do sleep 0.05; done`;
    const verify = `test -n "$WAVETRAIN_TASK_ID" || { ${meet}; ${wait}; ! cp src/evil.txt "$A/seen"; }`;
    world = await World.create({ files: FILES, repository: { verify } });
    const script = { waitFor: ["held"], writes: { "src/a.txt": "changed\n" } };
    await world.addTask({ id: "evil", files: ["src/a.txt"], script });
    world.moveToReady("evil");
    await world.until("the agent is at work", async () => (await world.journal()).length > 0);
    const { runs } = await world.app.store.readRepo(world.repo);
    const held = await open(join(runs[0]?.workspace ?? "", "src"));
    try {
      await world.signalAgents("held");
      expect(await outcomesOf("evil", 1)).toEqual(["succeeded"]);
      const fate = fateOf("evil");
      await world.until("the train verifies", () =>
        existsSync(join(world.agentFolder, "verifying")),
      );
      // Gone with the workspace that it was in, or one that waits to be used by another run.
      await writeFile(`/proc/self/fd/${held.fd}/evil.txt`, "evil\n").catch(() => undefined);
      await world.signalAgents("written");
      expect(await fate).toBe("landed");
      expect(existsSync(join(world.agentFolder, "seen"))).toBe(false);
    } finally {
      await held.close();
    }
  });
});

describe("1: an agent without a sandbox", () => {
  const data = `data=$(dirname "$(dirname "$HOME")")`;
  const forbid = "echo forbidden > src/a.txt";

  async function isRejected(script: string): Promise<void> {
    await createWorld("none", { "evil.1": script });
    await ready({ id: "evil", files: ["src/a.txt"] });
    expect(await outcomesOf("evil", 1)).toEqual(["succeeded"]);
    expect(await fateOf("evil")).toBe("rejected");
    expect((await world.mainFiles())["src/a.txt"]).toBe("a\n");
  }

  further(
    "cannot make the train believe what it did to the copies, or to its own workspace",
    async () => {
      const copies = `for f in $(find "$data/setups" -name run.sh); do echo true > "$f"; done`;
      // As if setup had written this a moment before the agent came.
      const own = `${DECEIVE}; touch -d tomorrow ../setup ../index`;
      await isRejected(`${data}; ${copies}; ${own}; ${forbid}`);
      expect(await keptCopies()).toEqual(["true\n"]);
    },
  );

  further("cannot leave the end of a verification where the train would look for it", async () => {
    const tree = `$(export GIT_INDEX_FILE="$HOME/index"; git read-tree HEAD; git add -A; git write-tree)`;
    const folder = `"$data/runs/verify-$(echo ${tree} | cut -c1-16)-$n%2Fverify"`;
    const leave = `d=${folder}; mkdir -p "$d"; echo '{"kind":"exited","code":0}' > "$d/end"`;
    const plant = `for n in 0 1 2 3; do ${leave}; done`;
    await isRejected(`${data}; ${DECEIVE}; ${forbid}; ${plant}`);
  });
});
