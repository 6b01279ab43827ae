import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasProgram } from "../support/installed.ts";
import { firstPull, newHead, review } from "../support/open-pages.ts";
import { Terminal } from "../support/terminal.ts";

const PROJECT = process.cwd();
const TRY = "node dist/cli/main.js try --repo ../shop --tasks ../tasks.yml";
const TASKS = `
- { id: cart, title: Count the cart, files: [cart.txt] }
- { id: till, title: Open the till, files: [till.txt], dependsOn: [cart] }
`;
const AGENT = `#!/bin/sh
printf '%s %s\\n' "$WAVETRAIN_TASK_ID" "$WAVETRAIN_ATTEMPT" > "$WAVETRAIN_TASK_ID.txt"
`;

const hasTerminal = hasProgram("tmux");

let home = "";
let terminal: Terminal;

async function script(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  await chmod(path, 0o755);
}

/** A person's folder: a repository of theirs, tasks, an agent, and claude on the PATH without a key. */
beforeAll(async () => {
  if (!hasTerminal) return;
  home = await mkdtemp(join(tmpdir(), "first-hour-"));
  const shop = join(home, "shop");
  await Promise.all([mkdir(shop), mkdir(join(home, "bin")), mkdir(join(home, "tmp"))]);
  await writeFile(join(home, "tasks.yml"), TASKS);
  await script(join(home, "bin", "claude"), "#!/bin/sh\necho 2.1.0\n");
  await writeFile(join(shop, "README.md"), "# Shop\n");
  const git = { cwd: shop, env: { HOME: home, GIT_CONFIG_NOSYSTEM: "1" } };
  await execa("git", ["init", "-q", "-b", "main"], git);
  await execa("git", ["add", "."], git);
  const who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"];
  await execa("git", [...who, "commit", "-q", "-m", "Begin"], git);
  terminal = await Terminal.open(home, {
    HOME: home,
    TMPDIR: join(home, "tmp"),
    PATH: `${join(home, "bin")}${delimiter}${process.env.PATH ?? ""}`,
    ANTHROPIC_API_KEY: "",
    ANTHROPIC_AUTH_TOKEN: "",
    CLAUDE_CODE_OAUTH_TOKEN: "",
    CI: "",
  });
});

afterAll(async () => {
  if (home === "") return;
  await terminal.close();
  await rm(home, { recursive: true, force: true });
});

/** The steps follow each other on one screen, as they do for whoever takes them. */
describe.runIf(hasTerminal)("the first hour of somebody new", () => {
  it("begins with a clone and the demo", async () => {
    expect(await terminal.run(`git clone -q file://${PROJECT} wavetrain`)).toContain("[exit 0]");
    // `npm ci` is the step before all tests, here as for a person.
    await symlink(join(PROJECT, "node_modules"), join(home, "wavetrain", "node_modules"));
    await script(join(home, "wavetrain", "agent.sh"), AGENT);
    await terminal.run("cd wavetrain");
    const screen = await terminal.run("npm run --silent demo");
    expect(screen).toContain("Board: http://127.0.0.1:");
    expect(screen).toMatch(/8 of 8 landed in \d+\.\d s/);
    expect(screen).toMatch(/^Next: wavetrain try --stay .* wavetrain setup /m);
    expect(screen).toContain("[exit 0]");
  });

  it("shows the plan of the own tasks", async () => {
    const screen = await terminal.run("node dist/cli/main.js plan --tasks ../tasks.yml");
    expect(screen).toContain("2 tasks in 2 waves");
    expect(screen).toMatch(/^ +2 +till .*depends on cart/m);
    expect(screen).toContain("[exit 0]");
  });

  it("says at once that the own base is red, and pays for nothing", async () => {
    const verify = `--verify 'echo 1 failing; false'`;
    const screen = await terminal.run(`${TRY} --command ./agent.sh ${verify}`);
    expect(screen).toMatch(/error: the base itself fails: .* on main at [0-9a-f]{7}/);
    expect(screen).toContain("  1 failing");
    expect(screen).toMatch(/^The whole output: \S+base\.log$/m);
    expect(screen).toContain("[exit 1]");
  });

  it("runs an own command as it was typed, and lands what it does", async () => {
    const screen = await terminal.run(`${TRY} --command ./agent.sh --verify 'test -f README.md'`);
    expect(screen).toContain("Sandbox: none, your HOME; --sandbox bubblewrap keeps it in");
    expect(screen).toMatch(/^Base: main at [0-9a-f]{7} passes/m);
    expect(screen).toMatch(/cart +landed/);
    expect(screen).toMatch(/till +landed/);
    expect(screen).toMatch(/^The result: git pull \S+ main$/m);
    expect(screen).toContain("[exit 0]");
  });

  it("asks for the key of a preset before anything runs", async () => {
    const screen = await terminal.run(`${TRY} --runner claude --verify true`);
    expect(screen).toContain("ANTHROPIC_API_KEY");
    expect(screen).not.toContain("Board:");
    expect(screen).toContain("[exit 2]");
  });

  it("shows an own command's last words when it fails, and where its log is", async () => {
    const command = `--command 'echo no such model >&2; exit 3'`;
    const screen = await terminal.run(`${TRY} ${command} --verify true`);
    expect(screen).toContain("cart: given up: the runner ended with exit code 3");
    expect(screen).toContain("| no such model");
    expect(screen).toMatch(/log: \S+\.log/);
    expect(screen).toContain("[exit 1]");
  });

  it("answers requested changes, lands what is approved, and says so while it waits", async () => {
    await terminal.type(`${TRY} --command ./agent.sh --verify true --approve manual`);
    const [board = ""] =
      /http:\/\/127\S+/.exec(await terminal.until(/Board: http:\/\/\S+ \(/)) ?? [];
    const pull = await firstPull(board);
    await terminal.until(/cart +in review/);
    const before = await review(board, pull, { verdict: "request-changes", words: "Once more." });
    await terminal.until(
      /changes are requested on #\d+; a run starts after 5 s of quiet \(in \d s\)/,
    );
    await newHead(board, pull, before);
    await review(board, pull, { verdict: "approve" });
    await terminal.until(/cart +landed/);
  });

  it("says what an interrupt leaves", async () => {
    await terminal.until(/till +in review/);
    await terminal.press("C-c");
    const screen = await terminal.until(/\[exit \d+\]/);
    expect(screen).toContain("Interrupted: the states above are those of that moment");
    expect(screen).toMatch(/till: in review: #\d+ waits for a review/);
    expect(screen).toContain("[exit 1]");
  });

  it("says what is missing where a server is asked for and none runs", async () => {
    const screen = await terminal.run("node dist/cli/main.js status");
    expect(screen).toContain("no server has run here");
    expect(screen).toContain("--data-dir");
    expect(screen).toContain("[exit 2]");
  });
});
