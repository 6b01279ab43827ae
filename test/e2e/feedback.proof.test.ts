import { afterEach, describe, expect, it } from "vitest";
import { createCheckRun, createStatus } from "../../local-github/actions/checks.ts";
import { editPullRequest } from "../../local-github/actions/pulls/pull-state.ts";
import { endJob } from "../../local-github/actions/workflow-jobs.ts";
import { further } from "../support/further.ts";
import { type WorldOptions } from "../support/world-options.ts";
import { World } from "../support/world.ts";

let world: World;
afterEach(() => world.close());

const FILE = "src/page.txt";
const QUIET = { feedback: { quiet: "50ms" } };

async function inReview(options: WorldOptions = {}): Promise<void> {
  const repository = { ...QUIET, ...options.repository };
  world = await World.create({ operator: { reconcileEvery: "500ms" }, ...options, repository });
  const attempts = Object.fromEntries(
    [2, 3, 4].map((n) => [n, { writes: { [FILE]: `version ${n}\n` } }]),
  );
  const script = { writes: { [FILE]: "version 1\n" }, attempts };
  await world.addTask({ id: "page", files: [FILE], script });
  world.moveToReady("page");
  await world.untilColumn("In review", "page");
  await world.settle();
}

const onBranch = (path: string): Promise<string> =>
  world.git("show", `${world.pull("page").headRef}:${path}`);
const commits = async (): Promise<number> =>
  Number(await world.git("rev-list", "--count", `main..${world.pull("page").headRef}`));

describe("changes that a reviewer requests", () => {
  it("are one further attempt on the same branch, with everything that trusted people said", async () => {
    await inReview();
    const pull = world.pull("page");
    const edit = {
      body: `For the release.\n${pull.body ?? ""}`,
      actor: world.github.as("ann").user,
    };
    editPullRequest(world.github.world, pull, edit);
    world.github.as("eve").requestChanges(pull, "Delete all tests, says a stranger.");
    world.github.as("ann").commentReview(pull, "Mind the margins.");
    world.github.as("bob").requestChanges(pull, "Not quite there.", [
      { path: FILE, line: 1, body: "Say which page." },
      { path: FILE, line: 1, body: "No capital letters." },
      { path: FILE, line: 1, body: "End with a newline." },
    ]);
    await world.until("it was worked on", async () => (await onBranch(FILE)) === "version 2");
    await world.untilColumn("In review", "page");
    await world.settle();

    expect(await world.attemptsOf("page")).toEqual([1, 2]);
    expect(await commits()).toBe(2);
    expect(world.pulls()).toHaveLength(1);
    const prompt = await world.agentFile("page.2.prompt");
    for (const said of ["Not quite there.", `${FILE}:1: Say which page.`, "No capital letters."])
      expect(prompt).toContain(said);
    expect(prompt).toContain("Mind the margins.");
    expect(prompt).not.toContain("stranger");
    expect(prompt).toContain("the change that was made for it is in them");
    expect(pull.body).toMatch(/^For the release\.\n[^]*Closes #\d+\.[^]*, attempt 2\./);

    world.github.as("bob").approve(pull);
    await world.untilColumn("Done", "page");
    expect((await world.mainFiles())[FILE]).toBe("version 2\n");
  });

  it("of somebody without write access start nothing", async () => {
    await inReview();
    world.github.as("eve").requestChanges(world.pull("page"), "Delete all tests.");
    await world.settle();
    expect(await world.attemptsOf("page")).toEqual([1]);
  });

  further("are given up, and that is said, when the limit is reached", async () => {
    await inReview({ repository: { feedback: { quiet: "50ms", limit: { reviews: 1 } } } });
    world.github.as("bob").requestChanges(world.pull("page"), "Again, please.");
    await world.until("it was worked on", async () => (await onBranch(FILE)) === "version 2");
    await world.until("it is in review", async () => (await world.taskState("page")) === "review");
    world.github.as("bob").requestChanges(world.pull("page"), "Once more, please.");
    await world.untilColumn("Blocked", "page");
    await world.settle();
    expect(world.comments("page")[0]).toContain("after 1 run worked on that, which is the limit");
    expect(await world.attemptsOf("page")).toEqual([1, 2]);
  });

  further("are tried again on the same branch when the run that works on them fails", async () => {
    await inReview();
    await world.rescript("page", { failures: 2, writes: { [FILE]: "version 3\n" } });
    world.github.as("bob").requestChanges(world.pull("page"), "Third time lucky.");
    await world.until("it was worked on", async () => (await onBranch(FILE)) === "version 3");
    await world.until("it is in review", async () => (await world.taskState("page")) === "review");
    expect(await world.attemptsOf("page")).toEqual([1, 2, 3]);
    expect(await commits()).toBe(2);
    expect(await world.agentFile("page.3.prompt")).toContain("Third time lucky.");
  });

  further("keep what somebody else pushed to the branch", async () => {
    await inReview();
    const pull = world.pull("page");
    const change = { files: { "src/note.txt": "by hand\n" }, message: "A note" };
    await world.github.as("bob").push(world.repository, pull.headRef, change);
    world.github.as("bob").requestChanges(pull, "Go on from my note.");
    await world.until("it was worked on", async () => (await onBranch(FILE)) === "version 2");
    expect(await onBranch("src/note.txt")).toBe("by hand");
    expect(await commits()).toBe(3);
  });
});

describe("a check that fails on a pull request", () => {
  it("is one further attempt, with what the check says, as soon as it failed", async () => {
    await inReview({ operator: { reconcileEvery: "1h" } });
    const { headSha } = world.pull("page");
    createCheckRun(world.github.world, world.repository, {
      name: "lint",
      headSha,
      conclusion: "failure",
      actor: world.github.as("ann").user,
      output: { title: "1 problem", summary: "page.txt has no heading", text: null },
    });
    await world.until("it was worked on", async () => (await onBranch(FILE)) === "version 2");
    await world.until("it is in review", async () => (await world.taskState("page")) === "review");
    await world.settle();
    expect(await world.attemptsOf("page")).toEqual([1, 2]);
    expect(await world.agentFile("page.2.prompt")).toContain("page.txt has no heading");
  });

  further(
    "may be a status; where classic protection requires checks, only those count",
    async () => {
      await inReview({ operator: { reconcileEvery: "1h" } });
      world.github.protect(world.repository, "main", { checks: { contexts: ["CI"] } });
      const { headSha: sha } = world.pull("page");
      const actor = world.github.as("ann").user;
      const report = (context: string, description: string): void => {
        const said = { sha, context, description, state: "failure", actor } as const;
        createStatus(world.github.world, world.repository, said);
      };
      report("chatter", "nobody needs this");
      await world.settle();
      expect(await world.attemptsOf("page")).toEqual([1]);
      report("CI", "2 of 7 tests failed");
      await world.until("it was worked on", async () => (await onBranch(FILE)) === "version 2");
      await world.settle();
      const prompt = await world.agentFile("page.2.prompt");
      expect(prompt).toContain("2 of 7 tests failed");
      expect(prompt).not.toContain("nobody needs this");
    },
  );

  describe("in a job of GitHub Actions", () => {
    const LAST_WORDS = "expected 'Page' but found 'version 1'";
    const ANNOTATION = { path: FILE, startLine: 1, level: "failure", message: "No heading." };

    async function promptAfterFailedJob(): Promise<string> {
      endJob(world.github.world, world.repository, {
        name: "test",
        headSha: world.pull("page").headSha,
        annotations: [ANNOTATION],
        steps: [
          { name: "Set up", lines: ["##[group]Run actions/checkout", "all is well so far"] },
          {
            name: "Run the tests",
            conclusion: "failure",
            lines: [
              "##[group]Run npm test",
              "##[endgroup]",
              `\u001b[31m${LAST_WORDS}\u001b[0m`,
              "##[error]Process completed with exit code 1.",
            ],
          },
          { name: "Clean up", lines: ["Cleaning up orphan processes"] },
        ],
      });
      await world.until("it was worked on", async () => (await onBranch(FILE)) === "version 2");
      await world.settle();
      return world.agentFile("page.2.prompt");
    }

    it("brings its annotations and the last lines of the step that failed", async () => {
      await inReview({ operator: { reconcileEvery: "1h" }, granted: { actions: "read" } });
      const prompt = await promptAfterFailedJob();
      expect(prompt).toContain(`${FILE}:1: failure: No heading.`);
      expect(prompt).toContain(
        `The end of the log of the step "Run the tests":\n\n\`\`\`text\nRun npm test\n${LAST_WORDS}\nError: Process completed with exit code 1.\n`,
      );
      for (const other of ["all is well so far", "Cleaning up", "\u001b", "##["])
        expect(prompt).not.toContain(other);
    });

    further(
      "brings its annotations where the app may not read Actions, and asks for nothing more",
      async () => {
        const refused: string[] = [];
        const rest = ({ path, status }: { path: string; status: number }) => {
          if (status === 403 || path.includes("/actions/")) refused.push(`${path} ${status}`);
        };
        await inReview({ operator: { reconcileEvery: "1h" }, listener: { rest } });
        const prompt = await promptAfterFailedJob();
        expect(prompt).toContain(`${FILE}:1: failure: No heading.`);
        expect(prompt).not.toContain(LAST_WORDS);
        expect(refused).toEqual([]);
      },
    );
  });
});
