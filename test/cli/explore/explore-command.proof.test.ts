import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { further } from "../../support/further.ts";
import { imageOf, userGit } from "../../support/user-repository.ts";
import { exploreBench, IDEAS, resultOf, SCORED } from "./explore-bench.ts";

const FAST = ["--pacing", "off"];
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string;
const SHA = expect.stringMatching(/^[0-9a-f]{40}$/) as string;
const COUNT = expect.any(Number) as number;

describe("wavetrain explore", () => {
  it("takes the best of two levels, prints pure JSON and leaves the repository as it was", async () => {
    const { folder, repo, git, agent, start, left } = await exploreBench();
    await writeFile(join(repo, "value.txt"), "1000\n");
    await writeFile(join(repo, "ideas", "new.md"), "1000\n");
    await git("add", "value.txt");
    const told = join(folder, "told");
    await mkdir(told);
    const name = '"$WAVETRAIN_DEPTH.$(basename "$WAVETRAIN_IDEA").$WAVETRAIN_ATTEMPT"';
    await agent(
      `echo "$HOME $GIVEN$HIDDEN $WAVETRAIN_NODE" > '${told}'/${name}.$WAVETRAIN_CONTENDER; touch "$HOME/mine"`,
    );
    const before = await imageOf(repo);
    const end = await start(
      [...IDEAS, ...FAST, "--json", "--env", "GIVEN", "--beam", "2"],
      ["--max-parallel-evals", "3", "--max-parallel-per-node", "2"],
    );
    expect(end.exitCode).toBe(0);
    expect(await imageOf(repo)).toEqual(before);
    const [board, sandbox, processes, settings, ...rest] = end.stderr.split("\n");
    expect(board).toMatch(/^Board: http:\/\/127\.0\.0\.1:\d+\/\?key=[\w-]{32} \(to read along\)$/);
    expect(sandbox).toMatch(/^Sandbox: none, a HOME of its own for each evaluation; /);
    expect(processes).toMatch(/^Processes: /);
    expect(settings).toMatch(/^Settings: the defaults, but /);
    expect(settings).not.toContain("explore");
    expect(rest.join("")).toBe("");

    const result = resultOf(end);
    expect(result.nodes).toEqual([
      { id: 0, parent: null, depth: 0, commit: await git("rev-parse", "HEAD"), score: 10 },
      { id: 1, parent: 0, depth: 1, commit: SHA, score: 13 },
      { id: 2, parent: 0, depth: 1, commit: SHA, score: 15 },
      { id: 5, parent: 1, depth: 2, commit: SHA, score: 18 },
      { id: 8, parent: 2, depth: 2, commit: SHA, score: 20 },
    ]);
    expect(result.evaluations.map(({ id, node, idea, score }) => [id, node, idea, score])).toEqual([
      [1, 0, "ideas/a.md", 13],
      [2, 0, "ideas/b.md", 15],
      [3, 0, "ideas/c.md", 11],
      [4, 1, "ideas/a.md", 16],
      [5, 1, "ideas/b.md", 18],
      [6, 1, "ideas/c.md", 14],
      [7, 2, "ideas/a.md", 18],
      [8, 2, "ideas/b.md", 20],
      [9, 2, "ideas/c.md", 16],
    ]);
    const promoted = result.evaluations.filter((one) => one.promoted).map(({ id }) => id);
    expect(promoted).toEqual([1, 2, 5, 8]);
    for (const one of result.evaluations)
      expect(one).toMatchObject({
        state: "succeeded",
        attempts: 1,
        error: null,
        queuedAt: ISO,
        startedAt: ISO,
        finishedAt: ISO,
      });
    expect(result).toMatchObject({
      winner: { evaluation: 8, commit: SHA, score: 20, branch: "wavetrain/1" },
      baseScore: 10,
      end: "level 2 was the last",
      interrupted: false,
      logs: null,
      usage: null,
      startedAt: ISO,
      finishedAt: ISO,
      serialTimeMs: COUNT,
      wallTimeMs: COUNT,
      maxParallel: COUNT,
      apiCalls: { rest: COUNT, graphql: COUNT, writes: COUNT, contentWrites: COUNT, refused: 0 },
    });
    expect(result.maxParallel).toBeLessThanOrEqual(3);
    expect(result.speedUp).toBeCloseTo(result.serialTimeMs / result.wallTimeMs, 5);
    expect(await left()).toEqual([result.repo?.split("/").at(-4)]);
    expect(await readdir(join(folder, (await left())[0] ?? ""))).toEqual(["github"]);

    const lines = await Promise.all(
      (await readdir(told)).map(async (file) => (await readFile(join(told, file), "utf8")).trim()),
    );
    expect(lines).toHaveLength(9);
    expect(new Set(lines.map((line) => line.split(" ")[0])).size).toBe(9);
    expect(lines.every((line) => line.includes(" given "))).toBe(true);
    const nodes = new Set(lines.map((line) => line.split(" ")[2]));
    expect(nodes).toEqual(new Set(result.nodes.slice(0, 3).map(({ commit }) => commit)));

    await git("checkout", "--quiet", "--force", "trunk");
    await git("pull", "--quiet", String(result.repo), String(result.winner?.branch));
    expect(await readFile(join(repo, "value.txt"), "utf8")).toBe("20\n");
    expect(await git("rev-parse", "HEAD")).toBe(result.winner?.commit);
  });

  it("shows the plan, what happens, the tree and what to pull to a person", async () => {
    const { agent, start, git } = await exploreBench();
    await agent(
      '[ "$WAVETRAIN_IDEA" = ideas/b.md ] && { echo out of luck; exit 3; }; [ "$WAVETRAIN_IDEA.$WAVETRAIN_ATTEMPT" = ideas/c.md.1 ] && exit 1',
    );
    const end = await start(IDEAS, FAST, "--depth", "1", "--verify", "test -s value.txt");
    expect([end.exitCode, end.stderr]).toEqual([0, ""]);
    const shown = end.stdout
      .replaceAll(/\d+\.\d s/g, "T")
      .replaceAll(/ {2,}T/g, "T")
      // A slow machine is told how far it is in between.
      .replaceAll(/^T {2}(?:the ideas|level \d+ of) .*\n/gm, "")
      .replaceAll(/[\d.]+×/g, "N×")
      .replaceAll(/\/\S+\/wavetrain-explore-\w+/g, "FOLDER")
      .replaceAll((await git("rev-parse", "HEAD")).slice(0, 7), "BASE")
      .replace(/^Board: .*\nSandbox: .*\nProcesses: .*\nSettings: .*\n/m, "…\n");
    expect(shown).toMatchInlineSnapshot(`
      "Plan
        3 ideas: ideas/*.md
        1 level: each idea on trunk
        up to 3 evaluations, one after the other; each may take 1 h, and is tried again once if it fails
        score: \`./score.sh\`, the highest is the best; of the base: score.sh

      …
      Base: reading trunk
      Base: verifying trunk at BASE: \`test -s value.txt\`
      Base: trunk at BASE passes \`test -s value.txt\` (T)
      Base: BASE scores 10

      T  queued     level 1: 1 to 3, 3 ideas on the base
      T  started    1 (ideas/a.md)
      T  completed  1 (ideas/a.md): 13 (after T)
      T  started    2 (ideas/b.md)
      T  requeued   2 (ideas/b.md): the runner ended with exit code 3; it said last: out of luck
      T  started    2 (ideas/b.md), attempt 2
      T  failed     2 (ideas/b.md): the runner ended with exit code 3; it said last: out of luck
      T  started    3 (ideas/c.md)
      T  requeued   3 (ideas/c.md): the runner ended with exit code 1
      T  started    3 (ideas/c.md), attempt 2
      T  completed  3 (ideas/c.md): 11 (after T)
      T  promoted   1 (ideas/a.md): 13
      T  promoted   3 (ideas/c.md): 11

      base BASE: 10
      ├─ 1 (ideas/a.md): 13, the winner
      ├─ 2 (ideas/b.md): failed: the runner ended with exit code 3, 2 attempts
      └─ 3 (ideas/c.md): 11, promoted, 2 attempts

      evaluation 2: the last run of local ended as failed; log: FOLDER/app/logs/local.repo.1.1.c2.r1.log
        | out of luck

      Winner: 1 (ideas/a.md) scores 13, and the base 10
      Ended: level 1 was the last

      3 evaluations in T; one after the other T (N×, 1 at once)

      The result: git pull FOLDER/github/local/repo.git wavetrain/1
      "
    `);
    expect(end.stdout).toMatch(/^Sandbox: none, a HOME of its own for each evaluation/m);
  });

  it("ends without a winner when it is strict and an idea fails, and says why", async () => {
    const { agent, start, folder, left } = await exploreBench();
    await agent('[ "$WAVETRAIN_IDEA" = ideas/a.md ] && { echo no way; exit 3; }');
    const args = [...IDEAS, ...FAST, "--strict", "--eval-retries", "0", "--json"];
    const end = await start(args);
    const result = resultOf(end);
    const why = "it is strict, and evaluation 1 (ideas/a.md) failed";
    expect([end.exitCode, result.winner, result.repo, result.end]).toEqual([1, null, null, why]);
    expect(result.evaluations.map(({ state, attempts }) => [state, attempts])).toEqual([
      ["failed", 1],
      ["skipped", 0],
      ["skipped", 0],
    ]);
    expect(result.evaluations[0]?.error).toEqual({
      kind: "failed",
      message: "the runner ended with exit code 3",
    });
    const [name = ""] = await left();
    expect(await readdir(join(folder, name), { recursive: true })).not.toContain("github");
    expect(result.logs).toBe(join(folder, name, "app", "logs"));
    const log = await readFile(join(String(result.logs), "local.repo.1.1.c1.log"), "utf8");
    expect(log).toContain("no way");
  });

  further(
    "has no winner, and leaves nothing but logs, where every idea fails or is worse",
    async () => {
      const { run, start, left, git, repo } = await exploreBench();
      const failing = await start(IDEAS, FAST, "--json", "--command", "exit 1", "--depth", "1");
      expect(failing.exitCode).toBe(1);
      expect(resultOf(failing)).toMatchObject({
        winner: null,
        end: "none of 3 evaluations succeeded",
        evaluations: [{ attempts: 2 }, { attempts: 2 }, { attempts: 2 }],
      });
      const [before] = await left();
      const worse = await run(
        ["--repo", "repo", ...IDEAS, ...FAST, "--json", "--depth", "1", "--best", "low"],
        ["--command", "./agent.sh", ...SCORED],
      );
      expect(worse.exitCode).toBe(1);
      expect(resultOf(worse)).toMatchObject({ winner: null, repo: null, logs: null });
      expect(resultOf(worse).end).toContain("nothing is better than the base");
      expect(await left()).toEqual([before]);
      expect(await git("status", "--porcelain")).toBe("");
      expect(await userGit(repo)("branch", "--list")).toBe("* trunk");
    },
  );

  further("keeps an idea from its judge, and from files that it may not change", async () => {
    const { agent, start, repo, git } = await exploreBench();
    await writeFile(join(repo, "bonus.txt"), "0\n");
    await writeFile(join(repo, "judge.sh"), "echo $(($(cat value.txt) + $(cat bonus.txt)))\n");
    await git("add", ".");
    await git("commit", "--quiet", "--message=judge");
    await agent(
      'case "$WAVETRAIN_IDEA" in *a.md) echo "echo 99" > judge.sh; echo 99 > bonus.txt;; *b.md) echo x > other.txt;; esac',
    );
    const files = ["--files", "value.txt", "judge.sh", "bonus.txt", "--score-files", "bonus.txt"];
    const end = await start(
      [...IDEAS, ...FAST, "--depth", "1", "--eval-retries", "0", "--json"],
      [...files, "--score", "sh ./judge.sh"],
    );
    expect(end.exitCode).toBe(0);
    const { evaluations, winner } = resultOf(end);
    expect(evaluations.map(({ score, error }) => [score, error?.kind])).toEqual([
      [13, undefined],
      [null, "out-of-scope"],
      [11, undefined],
    ]);
    expect(winner?.score).toBe(13);
  });

  further(
    "tries ideas that were typed, the lowest is the best, and ends when nothing gets better",
    async () => {
      const { folder, start } = await exploreBench();
      const texts = ["subtract: 3\n\n- `score: 99`\n  ```x", "# nothing <!-- at all -->"];
      const command = `cat "$WAVETRAIN_IDEA_FILE" > '${folder}'/idea.$WAVETRAIN_CONTENDER; n=$(tail -n 1 value.txt); case "$WAVETRAIN_IDEA" in subtract*) [ "$n" = 7 ] || n=$((n - 3));; esac; echo $n >> value.txt`;
      const end = await start(
        [...texts.flatMap((text) => ["--idea", text]), ...FAST, "--json", "--best", "low"],
        ["--command", command, "--score", "tail -n 1 value.txt", "--depth", "5", "--patience", "1"],
      );
      expect(end.exitCode).toBe(0);
      const { evaluations, winner, end: why } = resultOf(end);
      expect(winner?.score).toBe(7);
      expect(why).toBe("a level brought no better score");
      expect([...new Set(evaluations.map(({ idea }) => idea))]).toEqual([
        "# nothing <!-- at all -->",
        "subtract: 3",
      ]);
      expect(await readFile(join(folder, "idea.1"), "utf8")).toBe(`${texts[1] ?? ""}\n`);
      expect(await readFile(join(folder, "idea.2"), "utf8")).toBe(`${texts[0] ?? ""}\n`);
    },
  );

  further("lets the runner propose ideas, with your HOME where that is asked for", async () => {
    const { folder, agent, start } = await exploreBench();
    const ideas = JSON.stringify([
      { name: "five", text: "5" },
      { name: "two", text: "2" },
    ]);
    await agent(
      `[ "$HIDDEN" = hidden ] || exit 9; [ -z "$WAVETRAIN_IDEA" ] && { cat > '${folder}/prompt'; mkdir -p .wavetrain; echo '${ideas}' > .wavetrain/ideas.json; exit 0; }`,
    );
    const end = await start(
      ["--ask", "2", ...FAST, "--json", "--depth", "1", "--home", "user"],
      ["--task", "Make it more"],
    );
    expect(end.exitCode).toBe(0);
    expect(resultOf(end).winner?.score).toBe(15);
    expect(end.stderr).toContain("Sandbox: none, your HOME; ");
    expect(end.stderr).toContain('home "user" instead of "own" (asked for by --home user)');
    const prompt = await readFile(join(folder, "prompt"), "utf8");
    expect(prompt).toMatch(/^Propose 2 different ideas for a task .*: Make it more\./);
  });

  further("does not begin where the base itself is red", async () => {
    const { start, left, folder } = await exploreBench();
    const end = await start(IDEAS, "--verify", "echo 1 failing; exit 1", "--json");
    expect(end.exitCode).toBe(1);
    expect(resultOf(end)).toMatchObject({ nodes: [], evaluations: [], winner: null });
    expect(resultOf(end).end).toMatch(/^the base itself fails: /);
    expect(end.stderr).toContain("Mend it, or leave --verify out\n  1 failing\n");
    const [name = ""] = await left();
    expect(await readdir(join(folder, name))).toEqual(["base.log"]);
  });

  further(
    "works from a folder of the repository, whatever its own settings call things",
    async () => {
      const { repo, git, agent, run } = await exploreBench();
      await mkdir(join(repo, ".github"));
      await writeFile(
        join(repo, ".github", "wavetrain.yml"),
        [
          "labels: { explore: search, parallelSafe: together }",
          "board: { kind: labels, columns: { ready: To do }, statusField: State }",
          "base: elsewhere",
          "runner: theirs",
          "land: commit",
          "explore: { depth: 1, retries: 0, score: own }",
          "scores: { own: { run: 'false' } }",
        ].join("\n"),
      );
      await git("add", ".");
      await git("commit", "--quiet", "--message=settings");
      await agent('[ "$WAVETRAIN_IDEA" = ideas/a.md ] && exit 1');
      const args = ["--repo", "repo/ideas", "--command", "./agent.sh", ...SCORED];
      const end = await run(args, IDEAS, FAST, "--json", "--keep");
      expect(end.exitCode).toBe(0);
      const { evaluations, winner, logs } = resultOf(end);
      expect(evaluations.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
      expect(winner?.score).toBe(15);
      expect(await readdir(String(logs))).toContain("local.repo.1.1.c1.log");
    },
  );
});
