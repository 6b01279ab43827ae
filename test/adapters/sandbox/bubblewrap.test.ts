import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { probeBubblewrap } from "../../../src/adapters/sandbox/bubblewrap.ts";
import type { Sandbox, SandboxView } from "../../../src/ports/sandbox.ts";
import { bubblewrapWorks } from "../../support/installed.ts";

const WORKS = await bubblewrapWorks();
const run = promisify(execFile);

let root: string;
let view: SandboxView;
let sandbox: Sandbox;

const at = (...path: readonly string[]): string => join(root, ...path);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "wavetrain-sandbox-"));
  for (const folder of ["tree", "repository", "home", "tmp", "input", "sibling", "store"]) {
    await mkdir(at("data", folder), { recursive: true });
  }
  await writeFile(at("data", "store", "key.pem"), "the key");
  await writeFile(at("data", "sibling", "work.txt"), "a neighbour's work");
  await writeFile(at("data", "tree", ".git"), `gitdir: ${at("data", "repository")}`);
  await writeFile(at("data", "repository", "config"), "[core]");
  await writeFile(at("data", "input", "task.md"), "do it");
  await writeFile(at("secret.txt"), "outside");
  await mkdir(at("shown"));
  await writeFile(at("shown", "tool.txt"), "a tool");
  await installProgram();
  view = {
    marker: "run",
    workspace: at("data", "tree"),
    home: at("data", "home"),
    tmp: at("data", "tmp"),
    readable: [at("data", "tree", ".git"), at("data", "repository"), at("data", "input")],
    variables: {},
    network: "open",
    gate: at("data", "gate"),
  };
  const path = `${at("prefix", "bin")}:/usr/bin:/bin`;
  const options = { dataDir: at("data"), readable: [at("shown")], path };
  const probed = await probeBubblewrap(options);
  if (probed.ok) sandbox = probed.value;
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** As npm does: a link on PATH to a file of a package, which needs its neighbours. */
async function installProgram(): Promise<void> {
  const packages = at("prefix", "lib", "node_modules");
  await mkdir(join(packages, "agent"), { recursive: true });
  await mkdir(at("prefix", "bin"));
  await writeFile(at("prefix", "lib", "private.txt"), "not a package");
  await writeFile(join(packages, "agent", "words"), "it runs");
  await writeFile(join(packages, "agent", "agent.sh"), `#!/bin/sh\ncat ${packages}/agent/words\n`);
  await chmod(join(packages, "agent", "agent.sh"), 0o755);
  await symlink("../lib/node_modules/agent/agent.sh", at("prefix", "bin", "agent"));
}

/** What a shell command prints in the sandbox. */
async function inside(command: string): Promise<string> {
  const [program = "", ...args] = sandbox.wrap(
    ["/bin/sh", "-c", `{ ${command}; } 2>&1; true`],
    view,
  );
  const env = { PATH: `${at("prefix", "bin")}:/usr/bin:/bin`, HOME: view.home };
  return (await run(program, args, { env })).stdout.trim();
}

describe.skipIf(!WORKS)("bubblewrap", () => {
  it("runs a command in the workspace and lets it write there, in HOME and in its temporary folder", async () => {
    const written = [view.workspace, view.home, view.tmp].map((path) => `${path}/new.txt`);
    expect(await inside(`pwd; touch ${written.join(" ")} && ls ${written.join(" ")}`)).toBe(
      [view.workspace, ...[...written].sort()].join("\n"),
    );
  });

  it.each([
    ["the app's store and key", () => at("data", "store", "key.pem")],
    ["the workspace of another run", () => at("data", "sibling", "work.txt")],
    ["files beside the data", () => at("secret.txt")],
    ["what is beside a program's packages", () => at("prefix", "lib", "private.txt")],
    ["the users' homes", () => "/root /home"],
    ["passwords", () => "/etc/shadow"],
    ["the service managers' sockets", () => "/run/systemd /var/run/docker.sock"],
  ])("does not show %s", async (_, path) => {
    const lines = (await inside(`ls -d ${path()}`)).split("\n");
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toContain("No such file or directory");
  });

  it("shows what may be read, and lets nothing of it be changed", async () => {
    const files = [at("shown", "tool.txt"), at("data", "input", "task.md")];
    const git = [at("data", "repository", "config"), at("data", "tree", ".git")];
    for (const file of [...files, ...git, "/etc/passwd"]) {
      expect(await inside(`test -r ${file} && echo read; echo x >> ${file}`)).toMatch(
        /^read\n.*Read-only file system/,
      );
      expect(await inside(`rm ${file}`)).toMatch(/Read-only file system|busy/);
    }
  });

  it("finds programs of PATH where they are installed", async () => {
    expect(await inside("agent")).toBe("it runs");
  });

  it("shows no process but its own, and ends all of them with itself", async () => {
    expect(Number(await inside("ls -d /proc/[0-9]* | wc -l"))).toBeLessThan(6);
    const marker = `77${process.pid}`;
    await inside(`setsid sleep ${marker} & true`);
    const { stdout } = await run("ps", ["-eo", "args"]);
    expect(stdout).not.toContain(`sleep ${marker}`);
  });

  it("gives root no more than others: nothing can be mounted, no setting of the kernel changed", async () => {
    expect(await inside("mount -o remount,rw /usr; mount -t tmpfs x /tmp")).toMatch(
      /denied|permitted|superuser/,
    );
    // Opened for writing, and nothing written: where the sandbox fails, the host must not suffer from its test.
    for (const setting of ["sys/kernel/core_pattern", "sys/vm/drop_caches", "sysrq-trigger"]) {
      expect(await inside(`true >> /proc/${setting}`)).toMatch(/Read-only|denied|nonexistent/);
    }
    expect(await inside("grep CapEff /proc/self/status")).toMatch(/0{16}$/);
  });

  it("has empty folders for temporary files and for what runs", async () => {
    expect(await inside("ls /tmp /run | grep -v wavetrain-sandbox-")).toBe("/run:\n\n/tmp:");
  });
});
