import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { runApart } from "../../local-github/git/run-apart.ts";

const ask = (args: readonly string[], input: string | Uint8Array = "") =>
  runApart({ args, cwd: tmpdir(), env: {}, input });
const ECHO = "alias.echo=!cat";
/** The shell's parent is git, whose parent runs it. */
const PARENT_OF_GIT = "alias.parent=!cut -d' ' -f4 /proc/$PPID/stat";

describe("git that is run by a small process", () => {
  it("is given bytes and gives them back, with how it ended", async () => {
    const bytes = Uint8Array.from({ length: 300_000 }, (_, at) => at % 256);
    const { exitCode, stdout } = await ask(["-c", ECHO, "echo"], bytes);
    expect(exitCode).toBe(0);
    expect(stdout.equals(bytes)).toBe(true);
    expect(await ask(["no-such-command"])).toMatchObject({ exitCode: 1 });
    expect((await ask(["no-such-command"])).stderr.toString()).toContain("not a git command");
  });

  it("leaves before it has read everything without harm", async () => {
    const { exitCode, stdout } = await ask(["--version"], Buffer.alloc(5_000_000));
    expect({ exitCode, says: stdout.toString() }).toMatchObject({
      exitCode: 0,
      says: expect.stringContaining("git version") as string,
    });
  });

  it("says so when it cannot be run, and goes on", async () => {
    const nowhere = { args: ["--version"], cwd: "/nowhere/at/all", env: {}, input: "" };
    await expect(runApart(nowhere)).rejects.toThrow("ENOENT");
    expect((await ask(["--version"])).exitCode).toBe(0);
  });

  it.runIf(process.platform === "linux")(
    "is run by another small process when the first is gone",
    async () => {
      const pid = Number((await ask(["-c", PARENT_OF_GIT, "parent"])).stdout.toString());
      expect(pid).not.toBe(process.pid);
      const asked = ask(["-c", "alias.wait=!sleep 5", "wait"]);
      process.kill(pid, "SIGKILL");
      await expect(asked).rejects.toThrow("the process that runs git ended");
      expect((await ask(["--version"])).exitCode).toBe(0);
    },
  );

  it("does not keep a program from ending", async () => {
    const module = fileURLToPath(new URL("../../local-github/git/run-apart.ts", import.meta.url));
    const program = `
      const { runApart } = await import(${JSON.stringify(module)});
      const { exitCode } = await runApart({ args: ["--version"], cwd: "/", env: {}, input: "" });
      console.log(exitCode);`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "-e", program],
      { timeout: 120_000 },
    );
    expect(stdout).toBe("0\n");
  });
});
