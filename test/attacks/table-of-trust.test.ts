import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { bubblewrapWorks, pidNamespace } from "../support/installed.ts";
import { World } from "../support/world.ts";

const BUBBLEWRAP = await bubblewrapWorks();
const HAS_NAMESPACE = (await pidNamespace()) !== undefined;
const KEY = "the agent's own key";

/** Answers of one command, by what was asked of it. */
type Answers = Readonly<Record<string, string>>;

let world: World;

/** Asks for everything in the table's columns, and leaves a mark in its HOME. */
const PROBE = (folder: string, url: string): string => `
step=$1
say() { echo "PROBE $step $1 $2"; }
can() { if sh -c "$2" >/dev/null 2>&1; then say "$1" yes; else say "$1" no; fi; }
say home "$(basename "$HOME")"
can home-was-used '[ -e "$HOME/mark" ]'
touch "$HOME/mark"
say task "\${WAVETRAIN_TASK_ID:-}"
say key "\${AGENT_KEY:-}"
say secret "\${SECRET_OF_THE_SERVER:-}"
can read-store 'cat ${folder}/app/store/*'
touch "${folder}/app/probe-by-$step" 2>/dev/null
can write-git 'touch .git/probe || echo >> .git'
can write-workspace 'touch probe.txt && rm probe.txt'
can see-server 'kill -0 ${process.pid}'
can reach 'GIT_TERMINAL_PROMPT=0 git ls-remote ${url}/acme/shop.git 2>&1 | grep "could not read Username"'
[ "$step" = score ] && echo 1
[ "$step" = agent ] && echo change >> src/a.txt
exit 0
`;

interface Settings {
  readonly runner: object;
  readonly rest: object;
}

/** One task with two contenders, from setup to its landing; what each command answered. */
async function ask(operator: Settings): Promise<Map<string, Answers>> {
  const probe = (step: string): string => `sh "$PWD/probe.sh" ${step}`;
  world = await World.create({
    startApp: false,
    files: { "README.md": "# shop\n", "src/a.txt": "a\n", "probe.sh": "exit 0\n" },
    environment: { AGENT_KEY: KEY },
    repository: {
      setup: probe("setup"),
      verify: probe("verify"),
      scores: { one: { run: probe("score") } },
      explore: { score: "one" },
    },
    operator: {
      runners: {
        agent: { command: probe("agent"), env: ["AGENT_KEY"], slots: 2, ...operator.runner },
      },
      ...operator.rest,
    },
  });
  const files = { "probe.sh": PROBE(world.folder, world.github.url) };
  await world.github.as("ann").push(world.repository, "main", { files, message: "Probe" });
  world.approveEverything();
  await world.startApp();
  await world.addTask({ id: "ask", files: ["src/a.txt"], labels: ["candidates:2"] });
  world.moveToReady("ask");
  await world.untilColumn("Done", "ask");
  return answersIn(join(world.folder, "app", "logs"));
}

/** The commands of the train and of a score are told from a run's by the name of their log. */
async function answersIn(logs: string): Promise<Map<string, Answers>> {
  const found = new Map<string, Answers>();
  for (const name of await readdir(logs)) {
    const [, place = ""] = /^(verify|score)-/.exec(name) ?? [];
    const whose = { verify: "train ", score: "judge " }[place] ?? "";
    for (const line of (await readFile(join(logs, name), "utf8")).split("\n")) {
      const [, step, what = "", answer = ""] = /^PROBE (\S+) (\S+) ?(.*)$/.exec(line) ?? [];
      if (step === undefined) continue;
      const command = `${whose}${step}`;
      found.set(command, { ...found.get(command), [what]: answer });
    }
  }
  return found;
}

/** In a sandbox a command may write at that path, but not into that folder. */
async function writtenIntoData(): Promise<readonly string[]> {
  const names = await readdir(join(world.folder, "app"));
  return names.filter((name) => name.startsWith("probe-by-")).toSorted();
}

const RUN = ["setup", "agent", "verify"];
const JUDGE = ["judge setup", "judge score"];
const TRAIN = ["train setup", "train verify"];

function expectWords(answers: ReadonlyMap<string, Answers>): void {
  expect([...answers.keys()].toSorted()).toEqual([...RUN, ...JUDGE, ...TRAIN].toSorted());
  for (const [command, { secret, key, task }] of answers) {
    expect({ command, secret }).toEqual({ command, secret: "" });
    expect({ command, key }).toEqual({ command, key: command === "agent" ? KEY : "" });
    const isOfTask = ["agent", "verify"].includes(command);
    expect({ command, task }).toEqual({ command, task: isOfTask ? "ask" : "" });
  }
  const homes = (commands: readonly string[]) =>
    new Set(commands.map((command) => answers.get(command)?.["home"]));
  expect([...homes(TRAIN)].join()).toMatch(/^verify-[^,]+$/);
  expect(answers.get("train setup")).toMatchObject({ "home-was-used": "no" });
  expect([...homes(JUDGE)].join()).toMatch(/^score-[^,]+(,score-[^,]+)?$/);
  expect(answers.get("judge setup")).toMatchObject({ "home-was-used": "no" });
  expect([...homes(RUN)].join()).not.toMatch(/verify-|score-/);
}

describe("the table of trust", () => {
  afterEach(() => world.close());

  it("without a sandbox: nothing is kept from anybody but by names and namespaces", async () => {
    const answers = await ask({ rest: { sandbox: "none" }, runner: {} });
    expectWords(answers);
    expect(await writtenIntoData()).toEqual(
      [...RUN, "score"].map((step) => `probe-by-${step}`).toSorted(),
    );
    for (const [command, found] of answers) {
      expect({ command, ...found }).toMatchObject({
        command,
        "read-store": "yes",
        "write-git": "yes",
        "write-workspace": "yes",
        "see-server": HAS_NAMESPACE ? "no" : "yes",
        reach: "yes",
      });
    }
  });

  it.skipIf(!BUBBLEWRAP)(
    "in bubblewrap: a workspace, a HOME, and the network as told",
    async () => {
      const rest = { sandbox: "bubblewrap", network: { setup: "open", train: "none" } };
      const answers = await ask({ rest, runner: { network: "none" } });
      expectWords(answers);
      for (const [command, found] of answers) {
        expect({ command, ...found }).toMatchObject({
          command,
          "read-store": "no",
          "write-git": "no",
          "write-workspace": "yes",
          "see-server": "no",
          reach: command.endsWith("setup") ? "yes" : "no",
        });
      }
    },
  );
});

describe("docs/security.md", () => {
  it("names tests that exist", async () => {
    const page = await readFile("docs/security.md", "utf8");
    const named = [...page.matchAll(/`(test\/[\w./-]+\.test\.ts)`/g)].map(([, path]) => path ?? "");
    expect(named.length).toBeGreaterThan(15);
    for (const path of named) expect(await readFile(path, "utf8")).toContain("it(");
  });

  it("has a line for every attack, with its test", async () => {
    const page = await readFile("docs/security.md", "utf8");
    for (let number = 1; number <= 19; number += 1)
      expect(page).toMatch(new RegExp(`^\\| ${number} +\\|.*\`test/`, "m"));
  });
});
