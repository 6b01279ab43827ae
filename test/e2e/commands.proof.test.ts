import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, describe, expect, it } from "vitest";
import type { Comment } from "../../local-github/model/issue.ts";
import { repoName } from "../../src/domain/ids.ts";
import { AppProcess } from "../support/app-process.ts";
import { bundledApp } from "../support/bundle-app.ts";
import { further } from "../support/further.ts";
import { World } from "../support/world.ts";

const REPO = repoName("acme/shop");

let world: World;
afterEach(() => world.close());

function reactions(comment: Comment): readonly string[] {
  return comment.reactions.map(({ content, user }) => `${user.login} ${content}`);
}

/** The one comment of ours on the task's issue. */
function ourComment(id: string): string {
  const ours = world.issue(id).comments.filter(({ author }) => author.login.endsWith("[bot]"));
  expect(ours.length).toBeLessThan(2);
  return ours[0]?.body ?? "";
}

function say(id: string, words: string, who = "ann"): Comment {
  return world.github.as(who).comment(world.issue(id), words);
}

async function answered(comment: Comment): Promise<readonly string[]> {
  await world.until(`${comment.body} is answered`, () => comment.reactions.length > 0);
  await world.settle();
  return reactions(comment);
}

async function givenCommands(): Promise<readonly string[]> {
  const events = await world.app.store.events(0, 10_000);
  return events.flatMap(({ change }) =>
    change.kind === "command-given" ? [`${change.command.givenBy} ${change.command.said}`] : [],
  );
}

/** A task that failed and that would succeed now. */
async function givenUp(id: string): Promise<void> {
  await world.addTask({
    id,
    files: ["src/a.txt"],
    script: { failures: 1, writes: { "src/a.txt": "done\n" } },
  });
  world.moveToReady(id);
  await world.untilColumn("Blocked", id);
  await world.settle();
}

const ONE_ATTEMPT = { repository: { limits: { parallel: 8, attempts: 1 } } };

describe("a person with write access", () => {
  further("has a task that was given up tried again by /retry", async () => {
    world = await World.create(ONE_ATTEMPT);
    await givenUp("parser");

    const comment = say("parser", "/retry the network is back", "bob");
    await world.untilColumn("In review", "parser");

    expect(await answered(comment)).toEqual(["wavetrain[bot] +1"]);
    expect(await world.attemptsOf("parser")).toEqual([1, 2]);
    expect(ourComment("parser")).toContain("Answer to `/retry` by @\u200Bbob");
  });

  it("stops a run by /cancel and takes the task up again by /retry", async () => {
    world = await World.create();
    const script = { waitFor: ["go"], writes: { "src/a.txt": "1\n" } };
    await world.addTask({ id: "parser", files: ["src/a.txt"], script });
    world.moveToReady("parser");
    await world.until("it runs", async () => (await world.attemptsOf("parser")).length === 1);

    const again = say("parser", "/retry");
    expect(await answeredWhileBusy(again)).toEqual(["wavetrain[bot] confused"]);
    expect(await answered(say("parser", "/cancel"))).toEqual(["wavetrain[bot] +1"]);
    expect(await world.taskState("parser")).toBe("cancelled");
    expect(ourComment("parser")).toContain("cancelled by ann");

    await world.signalAgents("go");
    say("parser", "/retry");
    await world.untilColumn("In review", "parser");
  });

  it("takes a change out of the train by a comment on its pull request, which stays open", async () => {
    world = await World.create();
    await world.addTask({ id: "parser", files: ["src/a.txt"] });
    world.moveToReady("parser");
    await world.untilColumn("In review", "parser");
    const pull = world.pull("parser");

    const comment = world.github.as("ann").comment(pull, "/cancel");
    await answered(comment);
    world.github.as("bob").approve(pull);
    await world.settle();

    expect(await world.taskState("parser")).toBe("cancelled");
    expect(pull.state).toBe("open");
    expect(ourComment("parser")).toContain(`#${pull.number} is left open`);
  });

  it("is told by /explain why a task waits and what would change that, and by /plan the waves", async () => {
    world = await World.create();
    const script = { waitFor: ["go"], writes: { "src/a.txt": "1\n" } };
    await world.addTask({ id: "first", files: ["src/a.txt"], script });
    await world.addTask({ id: "second", files: ["src/a.txt"] });
    world.moveToReady("first");
    await world.until("it runs", async () => (await world.attemptsOf("first")).length === 1);
    world.moveToReady("second");
    await world.until("it waits", async () => (await world.taskState("second")) === "waiting");

    expect(await answeredWhileBusy(say("second", "/explain"))).toEqual(["wavetrain[bot] +1"]);
    await world.until("it is explained", () => ourComment("second").includes("/explain"));
    expect(ourComment("second")).toContain("both may write src/a.txt");
    expect(ourComment("second")).toContain("what would change that: land the other task");

    await answeredWhileBusy(say("second", "/plan"));
    await world.until("the plan is there", () => ourComment("second").includes("```mermaid"));
    expect(ourComment("second")).toContain('subgraph w1 ["Wave 2"]');
    expect(ourComment("second")).not.toContain("/explain");
    await world.signalAgents("go");
  });

  further(
    "pauses the repository: nothing starts and nothing lands until it is resumed",
    async () => {
      world = await World.create();
      await world.addTask({ id: "parser", files: ["src/a.txt"] });
      await world.addTask({ id: "lexer", files: ["src/b.txt"] });
      world.moveToReady("parser");
      await world.untilColumn("In review", "parser");

      await answered(say("parser", "/pause waiting for the release"));
      world.moveToReady("lexer");
      world.github.as("bob").approve(world.pull("parser"));
      await world.until("it says why", () =>
        ourComment("lexer").includes("paused by ann: waiting"),
      );
      await world.settle();
      expect(await world.attemptsOf("lexer")).toEqual([]);
      expect(world.column("parser")).not.toBe("Done");
      await world.stopApp();
      await world.startApp();
      await world.settle();
      expect(await world.attemptsOf("lexer")).toEqual([]);

      say("lexer", "/resume", "bob");
      await world.untilColumn("Done", "parser");
      await world.untilColumn("In review", "lexer");
    },
  );

  it("sets the priority's label", async () => {
    world = await World.create();
    await world.addTask({ id: "parser", files: ["src/a.txt"], labels: ["priority:low"] });

    expect(await answered(say("parser", "/priority high"))).toEqual(["wavetrain[bot] +1"]);
    const labels = () => world.issue("parser").labels.map(({ name }) => name);
    expect(labels()).toContain("priority:high");
    expect(labels()).not.toContain("priority:low");

    await answered(say("parser", "/priority normal"));
    expect(labels()).toEqual(["parallel-safe"]);
    expect(await answered(say("parser", "/priority urgent"))).toEqual(["wavetrain[bot] confused"]);
    expect(ourComment("parser")).toContain("say /priority high");
  });

  further(
    "has a change in review made anew by /retry, and a task that waits put first by /priority",
    async () => {
      world = await World.create({ operator: { slots: 1 } });
      const script = { writes: { "src/a.txt": "1\n" }, attempts: { 2: { waitFor: ["go"] } } };
      await world.addTask({ id: "page", files: ["src/a.txt"], script });
      await world.addTasks(["first", "second"].map((id) => ({ id, files: [`src/${id}.txt`] })));
      world.moveToReady("page");
      await world.untilColumn("In review", "page");
      const pull = world.pull("page");

      expect(await answeredWhileBusy(say("page", "/retry"))).toEqual(["wavetrain[bot] +1"]);
      await world.until("it runs", async () => (await world.attemptsOf("page")).length === 2);
      world.moveToReady("first", "second");
      await world.until("both wait", async () => (await world.tasks()).length === 3);
      expect(await answeredWhileBusy(say("second", "/priority high"))).toEqual([
        "wavetrain[bot] +1",
      ]);
      await world.until("it is read", async () =>
        (await world.tasks()).some(({ spec }) => spec.priority === "high"),
      );
      await world.signalAgents("go");
      await world.untilColumn("In review", "page", "first", "second");
      await world.settle();

      const started = (await world.journal()).filter(({ what }) => what === "started");
      expect(started.map(({ id }) => id)).toEqual(["page", "page", "second", "first"]);
      expect(world.pulls()).toHaveLength(3);
      expect(world.pull("page")).toBe(pull);
      expect(pull.body).toContain("attempt 2.");
    },
  );

  further("gives the same commands by the buttons of the check run", async () => {
    world = await World.create();
    await world.addTask({ id: "parser", files: ["src/a.txt"] });
    world.moveToReady("parser");
    await world.untilColumn("In review", "parser");
    await world.settle();
    const [check] = world.github.world.checkRuns;
    expect(check?.actions.map(({ label }) => label)).toEqual(["Retry", "Re-plan", "Cancel"]);

    world.github.as("bob").press(check!, "cancel");
    await world.until("it is", async () => (await world.taskState("parser")) === "cancelled");
    world.github.as("bob").press(check!, "retry");
    await world.until("it runs", async () => (await world.attemptsOf("parser")).length === 2);
    await world.untilColumn("In review", "parser");
    expect(await givenCommands()).toEqual(["bob cancel", "bob retry"]);
  });

  further('takes "Re-run" on the check run for another attempt', async () => {
    world = await World.create();
    await world.addTask({ id: "parser", files: ["src/a.txt"] });
    world.moveToReady("parser");
    await world.untilColumn("In review", "parser");
    await world.settle();
    const [check] = world.github.world.checkRuns;
    world.github.as("bob").press(check!, "cancel");
    await world.until("it is", async () => (await world.taskState("parser")) === "cancelled");
    world.github.as("bob").rerun(check!);
    await world.until("it runs", async () => (await world.attemptsOf("parser")).length === 2);
    await world.untilColumn("In review", "parser");
    expect(await givenCommands()).toEqual(["bob cancel", "bob retry"]);
  });
});

describe("the operator", () => {
  it("gives the same commands on the command line, and is told what came of them", async () => {
    world = await World.create(ONE_ATTEMPT);
    const bundle = await bundledApp();
    const env = { WAVETRAIN_DATA_DIR: join(world.folder, "app"), WAVETRAIN_CONFIG: "" };
    const run = (...args: readonly string[]) =>
      execa("node", [bundle, ...args], { reject: false, env });
    await givenUp("parser");

    const why = await run("explain", "1");
    expect(why).toMatchObject({ exitCode: 0, stderr: "" });
    expect(why.stdout).toContain("what would change that: say /retry");
    expect(await run("pause", "for", "the", "release")).toMatchObject({ exitCode: 0 });
    expect(await run("pause", "--repo", "acme/shop")).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: "error: the repository is paused already, by the operator",
    });
    const retried = await run("retry", "acme/shop#1", "--json");
    expect(JSON.parse(retried.stdout)).toMatchObject({
      repo: "acme/shop",
      issue: 1,
      command: "retry",
      result: "done",
    });
    await world.until("it waits", () =>
      ourComment("parser").includes("paused by the operator: for"),
    );
    expect(await run("resume")).toMatchObject({ exitCode: 0, stdout: "the repository goes on" });
    await world.untilColumn("In review", "parser");
    expect(await run("cancel", "1")).toMatchObject({ exitCode: 0 });
    expect(await world.taskState("parser")).toBe("cancelled");

    const wrong = await Promise.all([
      run("retry", "77"),
      run("retry", "a parser"),
      run("resume", "--repo", "shop"),
      run("resume", "--repo", "acme/other"),
      run("retry", "lexer"),
    ]);
    expect(wrong.map(({ exitCode }) => exitCode)).toEqual([1, 2, 2, 1, 1]);
    expect(wrong[4].stderr).toContain(`there is no task "lexer" in acme/shop`);
    expect(await run("explain", "parser")).toMatchObject({ exitCode: 0 });
    expect(wrong[3].stderr).toContain("acme/other is not watched; these are: acme/shop");
  });
});

describe("what is no command", () => {
  it("a stranger's /retry starts nothing, and is answered once", async () => {
    world = await World.create(ONE_ATTEMPT);
    await givenUp("parser");

    expect(await answered(say("parser", "/retry", "eve"))).toEqual(["wavetrain[bot] confused"]);
    const told = ourComment("parser");
    expect(told).toContain("people with write access");
    expect(await answered(say("parser", "/cancel", "eve"))).toEqual(["wavetrain[bot] confused"]);

    expect(ourComment("parser")).toBe(told);
    expect(await world.attemptsOf("parser")).toEqual([1]);
    expect(await world.taskState("parser")).toBe("failed");
  });

  it("a quoted command, one in a block of code and one in the middle of a text do nothing", async () => {
    world = await World.create(ONE_ATTEMPT);
    await givenUp("parser");

    const said = ["> /retry", "```\n/retry\n```", "    /retry", "I would say\n/retry", "`/retry`"];
    const comments = said.map((words) => say("parser", words));
    await world.settle();

    expect(comments.flatMap(reactions)).toEqual([]);
    expect(await world.attemptsOf("parser")).toEqual([1]);
  });

  it("what the app itself writes is not listened to", async () => {
    world = await World.create();
    await world.addTask({ id: "parser", files: ["src/a.txt"] });
    await answered(say("parser", "/help"));

    expect(ourComment("parser")).toContain("/retry: another attempt");
    expect(await givenCommands()).toEqual(["ann help"]);
  });
});

describe("a command counts once", () => {
  it("when its webhook comes twice, and once more under another number", async () => {
    world = await World.create(ONE_ATTEMPT);
    await givenUp("parser");
    world.github.faults.webhooks.copies = 2;
    const comment = say("parser", "/retry");
    await world.untilColumn("In review", "parser");
    await world.settle();

    await world.app.store.addSignal({
      deliveryId: randomUUID(),
      event: "issue_comment",
      action: "created",
      owner: "acme",
      repo: REPO,
      receivedAt: (await world.tasks())[0]!.changedAt,
      subject: { kind: "comment", comment: String(comment.id) },
      actor: "ann",
    });
    world.github.as("ann").editIssue(world.issue("parser"), { title: "Parser" });
    await world.settle();

    expect(await givenCommands()).toEqual(["ann retry"]);
    expect(await world.attemptsOf("parser")).toEqual([1, 2]);
    expect(reactions(comment)).toEqual(["wavetrain[bot] +1"]);
  });

  further("when the app dies between doing it and answering", async () => {
    world = await World.create({ ...ONE_ATTEMPT, startApp: false });
    const app = new AppProcess(world);
    await app.start();
    try {
      await world.addTask({
        id: "parser",
        files: ["src/a.txt"],
        script: { failures: 1, writes: { "src/a.txt": "done\n" } },
      });
      world.moveToReady("parser");
      await world.untilColumn("Blocked", "parser");
      let tried = 0;
      world.github.faults.answer({
        matches: ({ path }) => path.endsWith("/reactions") && (tried += 1) > 0,
        status: 502,
        message: "Bad gateway",
        times: 100,
      });
      const comment = say("parser", "/retry");
      await world.until("the answer was tried", () => tried > 0);
      await app.kill();
      expect(reactions(comment)).toEqual([]);
      world.github.faults.clear();

      await app.start();
      await world.untilColumn("In review", "parser");
      await world.until("it is answered", () => comment.reactions.length === 1);
      // The run that the command asked for may have been queued before the kill, and lost with the app: agents count.
      expect(await world.attemptsOf("parser")).toHaveLength(2);
    } finally {
      await app.kill();
    }
  });
});

async function answeredWhileBusy(comment: Comment): Promise<readonly string[]> {
  await world.until(`${comment.body} is answered`, () => comment.reactions.length > 0);
  return reactions(comment);
}
