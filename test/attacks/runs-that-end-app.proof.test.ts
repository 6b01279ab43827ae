import { mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, describe, expect, it } from "vitest";
import { AppProcess } from "../support/app-process.ts";
import { bundledApp } from "../support/bundle-app.ts";
import { further } from "../support/further.ts";
import { runGitText } from "../support/git-text.ts";
import { pidNamespace } from "../support/installed.ts";
import { AGENT_RUNNER } from "../support/world-options.ts";
import type { WorldOptions } from "../support/world-options.ts";
import { World } from "../support/world.ts";

const NAMESPACE = await pidNamespace();
/** Leaves the session, its parents and its environment, faster than anybody looks. */
const HIDE = `env -i setsid /bin/sh -c '/bin/sleep 300 </dev/null >/dev/null 2>&1 &'`;

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

/** A world whose agent does this before its work. */
async function worldOf(before: string, options: WorldOptions = {}): Promise<World> {
  const command = `${before}\n${AGENT_RUNNER.command}`;
  const operator = { runners: { agent: { ...AGENT_RUNNER, command } }, ...options.operator };
  world = await World.create({ ...options, operator });
  world.approveEverything();
  return world;
}

async function runOne(here: World, column: string): Promise<void> {
  await here.addTask({ id: "one", files: ["src/one.txt"] });
  here.moveToReady("one");
  await here.untilColumn(column, "one");
  await here.settle();
}

/** Whoever works in a folder below this one. */
async function workingIn(folder: string): Promise<readonly string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const places = await Promise.all(
    pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => "nowhere")),
  );
  return pids.filter((_, at) => places[at]?.startsWith(folder));
}

describe.skipIf(NAMESPACE === undefined)("10: daemons of agents", () => {
  further(
    "end with their runs, also when the server was killed meanwhile and took the runs up again",
    async () => {
      const here = await worldOf(HIDE, { startApp: false });
      const app = new AppProcess(here);
      await app.start();
      try {
        const script = { waitFor: ["one.go"], writes: { "src/one.txt": "one\n" } };
        await here.addTask({ id: "one", files: ["src/one.txt"], script });
        here.moveToReady("one");
        await here.until("the agent is at work", async () => (await here.journal()).length === 1);
        const workspaces = join(here.folder, "app", "workspaces");
        await app.kill();
        // Watched over from outside: the shim's number is the host's, and it holds the rest.
        const [run = ""] = await readdir(join(here.folder, "app", "runs"));
        const pidFile = join(here.folder, "app", "runs", run, "pid");
        const shim = Number.parseInt(await readFile(pidFile, "utf8"), 10);
        expect(await readFile(`/proc/${shim}/cmdline`, "utf8")).toContain("wavetrain-shim");
        expect((await workingIn(workspaces)).length).toBeGreaterThan(3);
        await app.start();
        await here.signalAgents("one.go");
        await here.untilColumn("Done", "one");
        expect(await here.attemptsOf("one")).toEqual([1]);
        await here.until("nobody is left", async () => (await workingIn(workspaces)).length === 0);
      } finally {
        await app.kill();
      }
    },
  );

  further(
    "end with a trial of a typed command where that starts the same in a namespace, and the trial says so",
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "runs-that-end-"));
      try {
        await mkdir(join(folder, "repo"));
        await writeFile(join(folder, "repo", "kept.txt"), "kept\n");
        await writeFile(join(folder, "tasks.yml"), "- { id: one, files: [one.txt] }\n");
        const git = (...args: string[]) => runGitText(join(folder, "repo"), args);
        await git("init", "--quiet");
        await git("add", ".");
        await git("-c", "user.name=t", "-c", "user.email=t@e.org", "commit", "--quiet", "-m", "a");
        const args = ["--repo", join(folder, "repo"), "--tasks", join(folder, "tasks.yml")];
        const program = await bundledApp();
        const end = await execa(
          "node",
          [program, "try", ...args, "--command", `${HIDE}; echo one > one.txt`, "--pacing", "off"],
          { env: { TMPDIR: folder }, stdin: "ignore" },
        );
        const left = await workingIn(folder);
        for (const pid of left) process.kill(Number(pid), "SIGKILL");
        const isRoot = process.getuid?.() === 0;
        expect(left).toHaveLength(isRoot ? 0 : 1);
        expect(end.stdout).toContain(
          isRoot
            ? "Processes: nothing that a command starts outlives it (PID namespace)\n"
            : "Processes: what a command leaves running may outlive it (switched off by",
        );
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );
});

describe("11: a run that fills the disk", () => {
  const operator = { maxRunDisk: "6MB" };
  const FILL = "head -c 9000000 /dev/zero";

  it("ends with words that say why, leaves nothing of it, and the next attempt starts anew", async () => {
    const here = await worldOf(`[ "$WAVETRAIN_ATTEMPT" = 2 ] || ${FILL} > ~/large`, { operator });
    await runOne(here, "Done");
    const { runs } = await here.app.store.readRepo(here.repo);
    expect(runs.map(({ outcome }) => outcome)).toMatchObject([
      { kind: "disk-limit", limitBytes: 6 * 2 ** 20 },
      { kind: "succeeded" },
    ]);
    expect(await here.agentFile("one.2.prompt")).toContain("took more than 6 MB of disk");
  });

  it.each([
    ["agent", FILL, {}],
    ["setup", "true", { setup: `${FILL} > $TMPDIR/large` }],
    ["verify", "true", { verify: `${FILL} > large` }],
  ])("is stopped in its %s, and the task is given up", async (step, before, repository) => {
    const limits = { parallel: 8, attempts: 1 };
    const here = await worldOf(step === "agent" ? `${before} > large` : before, {
      operator,
      repository: { ...repository, limits },
    });
    await runOne(here, "Blocked");
    expect(here.comments("one").join()).toContain("took more than the 6 MB of disk");
    const kept = await readdir(join(here.folder, "app"), { recursive: true });
    expect(kept.filter((path) => path.endsWith("/large"))).toEqual([]);
  });

  further("never begins in a repository that is larger, and says so", async () => {
    const files = { "README.md": "# shop\n", large: "x".repeat(2_000_000) };
    const here = await worldOf("true", {
      files,
      operator: { maxRunDisk: "1MB" },
      repository: { limits: { attempts: 1 } },
    });
    await runOne(here, "Blocked");
    expect(here.comments("one").join()).toContain("before anything ran");
    expect(await here.journal()).toEqual([]);
  });
});

describe("14: an agent that kills its supervision", () => {
  it("runs twice, not ten times, and says why", async () => {
    const before = `echo run >> "$AGENT_DIR/kills"; kill -KILL $PPID; sleep 300`;
    const here = await worldOf(before, { operator: { pidNamespace: "none" } });
    await runOne(here, "Blocked");
    expect(await here.agentFile("kills")).toBe("run\nrun\n");
    expect(here.comments("one").join()).toContain(
      "killed together with what watches over them; gave up after 2 such runs",
    );
  });

  further("is refused by the train, too: its verification is not repeated for ever", async () => {
    const kill = `case $HOME in *verify-*) echo run >> "$HOME/../../../agent/kills"; kill -KILL $PPID; sleep 300 ;; esac`;
    const here = await worldOf("true", {
      operator: { pidNamespace: "none" },
      repository: { verify: kill },
    });
    await here.addTask({ id: "one", files: ["src/one.txt"] });
    here.moveToReady("one");
    await here.until("the train stands", async () => {
      const { trains } = await here.app.store.readRepo(here.repo);
      return trains.some(({ state }) => state === "halted");
    });
    await here.settle();
    expect(await here.agentFile("kills")).toBe("run\nrun\n");
  });

  it.skipIf(NAMESPACE === undefined)("fails as any other where it cannot reach that", async () => {
    const here = await worldOf("kill -KILL $PPID; kill -KILL 0; sleep 300", {
      repository: { limits: { parallel: 8, attempts: 1 } },
    });
    await runOne(here, "Blocked");
    const { runs } = await here.app.store.readRepo(here.repo);
    expect(runs.map(({ outcome }) => outcome)).toMatchObject([{ kind: "failed" }]);
  });
});
