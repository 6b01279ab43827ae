import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { evaluationsOf } from "../../src/domain/explore/evaluations.ts";
import { repoName } from "../../src/domain/ids.ts";
import { further } from "../support/further.ts";
import { runGitText } from "../support/git-text.ts";
import type { Exploration } from "../../src/domain/exploration.ts";
import type { Evaluation } from "../../src/domain/explore/evaluations.ts";
import { World } from "../support/world.ts";
import type { NewTask } from "../support/world-options.ts";

let world: World;
afterEach(() => world.close());

const REPO = repoName("acme/shop");
const SUM = "src/sum.txt";
/** The score is the sum of the numbers, which ideas add to. */
const FILES = {
  "README.md": "# shop\n",
  [SUM]: "1\n",
  "judge/score.sh": `awk '{ sum += $1 } END { print sum }' ${SUM}\n`,
  "ideas/a-two.md": "add 2\n",
  "ideas/b-five.md": "add 5\n",
  "ideas/c-three.md": "add 3\n",
  "none/empty.md": "",
};
const SCORES = { sum: { run: "sh judge/score.sh", files: ["judge/"] } };
const ADD = `sed -n 's/^add //p' "$WAVETRAIN_IDEA_FILE" >> ${SUM}`;

async function shop(
  repository: Readonly<Record<string, unknown>> = {},
  operator: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  world = await World.create({
    files: FILES,
    operator,
    repository: { scores: SCORES, ...repository },
  });
}

async function explore(
  section: string,
  { lines = [ADD], ...task }: Partial<NewTask> & { readonly lines?: readonly string[] } = {},
): Promise<void> {
  await world.addTask({
    id: "sum",
    files: ["src/", "judge/"],
    labels: ["explore"],
    body: `### Explore\n\n${section}\n`,
    script: { lines },
    ...task,
  });
  world.moveToReady("sum");
}

async function found(): Promise<{
  readonly exploration: Exploration;
  readonly evaluations: readonly Evaluation[];
}> {
  const { explorations, runs } = await world.app.store.readRepo(REPO);
  const exploration = explorations.at(-1);
  if (exploration === undefined) throw new Error("nothing was explored");
  return { exploration, evaluations: evaluationsOf(exploration, runs) };
}

async function state(): Promise<string | undefined> {
  return world.taskState("sum");
}

async function refs(): Promise<readonly string[]> {
  const mirror = join(world.folder, "app", "mirrors", "acme", "shop.git");
  const args = ["for-each-ref", "--format=%(refname)", "refs/wavetrain/explore/"];
  return (await runGitText(mirror, args)).split("\n").filter(Boolean);
}

describe("an issue that explores", () => {
  it("tries every idea, then every idea on the best, and proposes the best of all", async () => {
    await shop();
    await explore("- ideas: `ideas/*.md`\n- score: sum\n- depth: 2\n- beam: 2");
    await world.untilColumn("In review", "sum");
    const { exploration, evaluations } = await found();
    const told = evaluations.map(({ number, parent, idea, score }) => [
      number,
      parent,
      idea,
      score,
    ]);
    expect(told).toEqual([
      [1, 0, "ideas/a-two.md", 3],
      [2, 0, "ideas/b-five.md", 6],
      [3, 0, "ideas/c-three.md", 4],
      [4, 2, "ideas/a-two.md", 8],
      [5, 2, "ideas/b-five.md", 11],
      [6, 2, "ideas/c-three.md", 9],
      [7, 3, "ideas/a-two.md", 6],
      [8, 3, "ideas/b-five.md", 9],
      [9, 3, "ideas/c-three.md", 7],
    ]);
    expect(exploration.plan.baseScore).toBe(1);
    expect(exploration.levels.map(({ promoted }) => promoted)).toEqual([
      [2, 3],
      [5, 6],
    ]);
    expect(exploration.end?.winner).toBe(5);
    const pull = world.pull("sum");
    expect(await world.git("show", `${pull.headRef}:${SUM}`)).toBe("1\n5\n5");
    expect(pull.body).toContain("11");
    expect(await refs()).toHaveLength(9);
    const homes = await world.app.store.readRepo(REPO);
    expect(homes.runs.filter(({ state: of }) => of !== "finished")).toEqual([]);

    world.github.as("bob").approve(pull);
    await world.untilColumn("Done", "sum");
    expect((await world.mainFiles())[SUM]).toBe("1\n5\n5\n");
  });

  it("gives every try a HOME in which nobody was, and keeps only the winner's", async () => {
    await shop();
    const lines = [
      'if [ -e "$HOME/mark" ]; then exit 9; fi; echo mark > "$HOME/mark"',
      'if [ "$attempt" = 1 ]; then status=3; fi',
      ADD,
    ];
    await explore("ideas: ideas/*.md\nscore: sum\ndepth: 1", { lines });
    await world.untilColumn("In review", "sum");
    const { evaluations } = await found();
    const kinds = evaluations.map(({ runs }) => runs.map(({ outcome }) => outcome?.kind));
    expect(kinds).toEqual(evaluations.map(() => ["failed", "succeeded"]));
    expect(evaluations.map(({ score }) => score)).toEqual([3, 6, 4]);
    await world.settle();
    const homes = await readdir(join(world.folder, "app", "homes"));
    expect(homes.map(decodeURIComponent)).toEqual(["acme/shop#1.c2"]);
  });

  further("lets no setup of a change touch what judges it", async () => {
    await shop({ setup: "sh src/prepare.sh 2>/dev/null || true" });
    const cheat = `case "$WAVETRAIN_IDEA" in *b-five*) echo "echo 'echo 999' > judge/score.sh" > src/prepare.sh;; esac; ${ADD}`;
    await explore("ideas: ideas/*.md\nscore: sum\ndepth: 1", { lines: [cheat] });
    await world.untilColumn("In review", "sum");
    const { exploration, evaluations } = await found();
    expect(evaluations[1]).toMatchObject({ state: "failed", error: { kind: "not-scored" } });
    expect(exploration.end?.winner).toBe(3);
  });

  it("judges by the base's own files, whatever a change makes of them", async () => {
    await shop();
    // The second idea makes the judge generous, and adds less than the third.
    const cheat = `case "$WAVETRAIN_IDEA" in *b-five*) echo 'echo 999' > judge/score.sh; echo 0 >> ${SUM};; *) ${ADD};; esac`;
    await explore("ideas: ideas/\nscore: sum\ndepth: 1", { lines: [cheat] });
    await world.untilColumn("In review", "sum");
    const { exploration, evaluations } = await found();
    expect(evaluations.map(({ score }) => score)).toEqual([3, 1, 4]);
    expect(exploration.end?.winner).toBe(3);
  });

  further(
    "fails an idea that changes what the issue does not claim, and goes on with the others",
    async () => {
      await shop();
      const stray = `case "$WAVETRAIN_IDEA" in *b-five*) echo stray > stray.txt;; esac; ${ADD}`;
      await explore("ideas: ideas/*.md\nscore: sum\ndepth: 1", { lines: [stray] });
      await world.untilColumn("In review", "sum");
      const { exploration, evaluations } = await found();
      expect(evaluations[1]).toMatchObject({ state: "failed", error: { kind: "out-of-scope" } });
      expect(evaluations[1]?.runs).toHaveLength(2);
      expect(exploration.end?.winner).toBe(3);
      expect(world.pull("sum").body).toContain("stray.txt");
    },
  );

  further("says how long an evaluation's score command was waited for", async () => {
    const slow = `grep -q 5 ${SUM} && sleep 60; sh judge/score.sh`;
    await shop({ scores: { sum: { run: slow, timeout: "2s" } }, explore: { retries: 0 } });
    await explore("ideas: ideas/*.md\nscore: sum\ndepth: 1");
    await world.untilColumn("In review", "sum");
    const { evaluations } = await found();
    expect(evaluations[1]).toMatchObject({ error: { kind: "timed-out", afterMs: 2000 } });
  });

  it("puts the winner on the base as it is by then, and scores it again", async () => {
    await shop();
    await explore("ideas: ideas/*.md\nscore: sum\ndepth: 1", { lines: ["await go.on", ADD] });
    await world.until("all have started", async () => (await world.journal()).length === 3);
    await world.github.as("ann").push(world.repository, "main", {
      message: "More to begin with",
      files: {
        "src/other.txt": "else\n",
        "judge/score.sh": `awk '{ sum += 2 * $1 } END { print sum }' ${SUM}\n`,
      },
    });
    await world.signalAgents("go.on");
    await world.untilColumn("In review", "sum");
    const { exploration } = await found();
    expect(exploration.end).toMatchObject({ winner: 2, rebased: { score: 12 } });
    const pull = world.pull("sum");
    expect(await world.git("show", `${pull.headRef}:src/other.txt`)).toBe("else");
    expect(pull.body).toContain("12");
    world.github.as("bob").approve(pull);
    await world.untilColumn("Done", "sum");
  });

  it("keeps the best so far when somebody stops it", async () => {
    await shop();
    const slow = `case "$WAVETRAIN_IDEA" in *c-three*) await never;; esac; ${ADD}`;
    await explore("ideas: ideas/*.md\nscore: sum", { lines: [slow] });
    await world.until("two have a score", async () => {
      const { explorations } = await world.app.store.readRepo(REPO);
      if (explorations.length === 0) return false;
      const { evaluations } = await found();
      return evaluations.filter(({ score }) => score !== undefined).length === 2;
    });
    world.github.as("ann").comment(world.issue("sum"), "/cancel");
    await world.untilColumn("In review", "sum");
    const { exploration } = await found();
    expect(exploration).toMatchObject({
      state: "ended",
      stop: { why: "cancelled by ann", keep: true },
      end: { winner: 2, why: "cancelled by ann" },
    });
    await world.settle();
    expect(world.comments("sum")[0]).toContain("the best so far is taken: evaluation 2");
  });

  further("ends without a winner when its card is moved away", async () => {
    await shop();
    await explore("ideas: ideas/*.md\nscore: sum", { lines: [ADD, "await never"] });
    await world.until("all have started", async () => (await world.journal()).length === 3);
    await world.untilColumn("In progress", "sum");
    world.moveCard("sum", "Backlog");
    await world.until("it is cancelled", async () => (await state()) === "cancelled");
    await world.settle();
    expect(world.pulls()).toEqual([]);
    expect(await world.workspaces()).toEqual([]);
  });

  it("asks a person first when it would cost much, and begins when they say so", async () => {
    await shop({ explore: { confirmAbove: { evaluations: 5 } } });
    await explore("ideas: ideas/*.md\nscore: sum\ndepth: 2\nbeam: 1");
    await world.untilColumn("Blocked", "sum");
    await world.settle();
    expect(world.comments("sum")[0]).toContain("up to 6 evaluations");
    expect(await world.journal()).toEqual([]);
    const { holds } = await world.app.store.readRepo(REPO);
    expect(holds).toEqual([]);
    world.github.as("ann").comment(world.issue("sum"), "/explore go");
    await world.untilColumn("In review", "sum");
    const { exploration } = await found();
    expect(exploration).toMatchObject({ attempt: 2, end: { winner: 5 } });
  });

  further("lets a runner propose the ideas", async () => {
    await shop();
    const ideas = JSON.stringify([
      { name: "seven", text: "add 7" },
      { name: "four", text: "add 4" },
    ]);
    const propose = `if [ -z "\${WAVETRAIN_IDEA:-}" ]; then mkdir -p .wavetrain; echo '${ideas}' > .wavetrain/ideas.json; else ${ADD}; fi`;
    await explore("ask: 2\nscore: sum\ndepth: 1", { lines: [propose] });
    await world.untilColumn("In review", "sum");
    const { exploration } = await found();
    expect(exploration.plan.ideas.map(({ name }) => name)).toEqual(["four", "seven"]);
    expect(exploration.end?.winner).toBe(2);
  });

  it("is cancelled before it is open, while the base of proposed ideas is scored", async () => {
    const folder = await mkdtemp(join(tmpdir(), "wavetrain-scoring-"));
    const begun = join(folder, "begun");
    const run = `touch "${begun}"; while :; do sleep 0.1; done`;
    await shop({ scores: { sum: { run } } });
    const ideas = JSON.stringify([{ name: "seven", text: "add 7" }]);
    const propose = `mkdir -p .wavetrain; echo '${ideas}' > .wavetrain/ideas.json`;
    await explore("ask: 1\nscore: sum\ndepth: 1", { lines: [propose] });
    await world.until("the base is scored", () => existsSync(begun));
    world.github.as("ann").comment(world.issue("sum"), "/cancel");
    await world.until("it is cancelled", async () => (await state()) === "cancelled");
    await world.settle();
    const { explorations, runs } = await world.app.store.readRepo(REPO);
    expect(explorations).toEqual([]);
    expect(runs).toMatchObject([{ outcome: { kind: "cancelled", reason: "cancelled by ann" } }]);
    await rm(folder, { recursive: true });
  });

  further("says so when the runner proposes nothing that can be used", async () => {
    await shop();
    await explore("ask: 2\nscore: sum", { lines: ["echo nonsense > src/nonsense.txt"] });
    await world.untilColumn("Blocked", "sum");
    await world.settle();
    expect(world.comments("sum")[0]).toContain("no usable ideas were proposed");
    expect(await world.journal()).toHaveLength(4);
  });

  it.each([
    ["an idea is empty", "ideas: none/*.md\nscore: sum\ndepth: 1", "none/empty.md is empty"],
    ["no file matches", "ideas: nowhere/*.md\nscore: sum", "there are no ideas to try"],
    [
      "the score prints no number",
      "ideas: ideas/*.md\nscore: words",
      "the score words of the base itself is no number",
    ],
    [
      "the score prints no number, though ideas are to be proposed first",
      "ask: 2\nscore: words",
      "the score words of the base itself is no number",
    ],
    [
      "the score's files protect nothing",
      "ideas: ideas/*.md\nscore: vain",
      "it would protect nothing",
    ],
  ])("says in one sentence before anything runs that %s", async (_, section, said) => {
    await shop({
      scores: {
        ...SCORES,
        words: { run: "echo hello" },
        vain: { run: "echo 1", files: ["nowhere/"] },
      },
    });
    await explore(section);
    await world.untilColumn("Blocked", "sum");
    await world.settle();
    expect(world.comments("sum")[0]).toContain(said);
    expect(await world.journal()).toEqual([]);
    expect((await world.app.store.readRepo(REPO)).explorations).toEqual([]);
  });

  further(
    "takes nothing when nothing is better than the base, or when it is strict and something failed",
    async () => {
      await shop();
      const less = `case "$WAVETRAIN_IDEA" in *a-two*) exit 3;; esac; echo 0 > ${SUM}`;
      await explore("ideas: ideas/*.md\nscore: sum\ndepth: 1", { lines: [less] });
      await world.untilColumn("Blocked", "sum");
      await world.settle();
      expect(world.comments("sum")[0]).toContain("nothing is better than the base");
      expect(world.pulls()).toEqual([]);
    },
  );
});
