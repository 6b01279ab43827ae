import { afterEach, describe, expect, it } from "vitest";
import type { Issue } from "../../local-github/model/issue.ts";
import { PROPOSAL_PATH } from "../../src/objectives/proposal/proposal.ts";
import { AppProcess } from "../support/app-process.ts";
import { further } from "../support/further.ts";
import { World } from "../support/world.ts";

let world: World;
let app: AppProcess | undefined;
afterEach(async () => {
  await app?.kill();
  app = undefined;
  await world.close();
});

const ADR = {
  title: "One cart for all",
  context: "Every page has a cart of its own.",
  decision: "They share one.",
  consequences: "Pages get simpler.",
};
const CART = {
  id: "cart",
  title: "Make the cart",
  body: "A cart with a total. Ask @ann if in doubt.",
  files: ["src/cart/**"],
  labels: ["parallel-safe"],
  size: "m",
};
const CHECKOUT = {
  ...CART,
  id: "checkout",
  title: "Use the cart",
  files: ["src/checkout/**"],
  dependsOn: ["cart"],
};

const proposing = (proposal: unknown): { writes: Record<string, string> } => ({
  writes: { [PROPOSAL_PATH]: JSON.stringify(proposal), "src/a.txt": "not asked for\n" },
});

async function addObjective(id: string, proposal: unknown): Promise<Issue> {
  const body = "People lose what they wanted to buy.";
  return world.addTask({ id, body, script: proposing(proposal) });
}

const comment = (issue: Issue): string => issue.comments[0]?.body ?? "";

describe("an issue that is too big for one run", () => {
  it("is broken into tasks that wait for a person, and shows how far they are until all have landed", async () => {
    world = await World.create();
    const issue = await addObjective("shop", { adr: ADR, tasks: [CART, CHECKOUT] });
    world.github.as("bob").label(issue, "objective");
    await world.until("the tasks are there", () => comment(issue).includes("0 of 3 landed"));
    await world.settle();

    expect(issue.subIssues.map(({ title }) => title)).toEqual([
      "Decision: One cart for all",
      "Make the cart",
      "Use the cart",
    ]);
    expect(issue.subIssues.map((sub) => world.columnOf(sub))).toEqual([
      "Backlog",
      "Backlog",
      "Backlog",
    ]);
    const [decision, cart, checkout] = issue.subIssues as [Issue, Issue, Issue];
    expect(decision.body).toContain("They share one.");
    expect(cart.body).toContain(`Part of #${issue.number}.`);
    expect(cart.body).not.toContain("@ann");
    expect(cart.labels.map(({ name }) => name)).toEqual(["parallel-safe", "size:m"]);
    expect(checkout.blockedBy).toEqual([cart]);
    expect(comment(issue)).toContain("```mermaid");
    expect(await world.mainFiles()).toMatchObject({ "src/a.txt": "a\n" });

    world.approveEverything();
    const alias = `objective-${issue.number}`;
    await world.rescript(`${alias}.cart`, { writes: { "src/cart/total.txt": "0\n" } });
    await world.rescript(`${alias}.adr`, {
      writes: { [`docs/adr/${String(issue.number).padStart(4, "0")}-one-cart-for-all.md`]: "x\n" },
    });
    for (const task of [cart, decision]) world.github.as("ann").moveCard(task, "Ready");
    await world.until("two have landed", () => comment(issue).includes("2 of 3 landed"));
    expect(await world.git("log", "-1", "--format=%B", "main")).toContain(
      `Objective: #${issue.number}`,
    );
    expect(comment(issue)).toContain(`#${checkout.number} | Use the cart | waits for a person`);

    world.github.as("ann").closeIssue(checkout, "not_planned");
    await world.until("nothing is left", () => comment(issue).includes("**Summary**"));
    expect(comment(issue)).toContain("2 of 2 landed, 1 dropped");
    expect(issue.comments).toHaveLength(1);
    expect(issue.state).toBe("open");
  });

  it.runIf(process.platform === "linux")(
    "gets each task once when the app is killed while it opens and relates them",
    async () => {
      world = await World.create({ startApp: false, operator: { reconcileEvery: "500ms" } });
      app = new AppProcess(world);
      await app.start();
      const moments = ["issues.opened", "sub_issues.sub_issue_added"];
      const kills: Promise<unknown>[] = [];
      const issue = await addObjective("shop", { adr: ADR, tasks: [CART, CHECKOUT] });
      // Before the answer is sent: it happened, and the app never hears of it.
      world.github.world.listeners.push((event) => {
        const moment = `${event.name}.${"action" in event ? event.action : ""}`;
        if (moment !== moments[0]) return;
        moments.shift();
        app?.signal("SIGKILL");
        kills.push(app?.ended() ?? Promise.resolve());
      });
      world.github.as("ann").label(issue, "objective");
      for (const count of [1, 2]) {
        await world.until(`it is killed ${count} times`, () => kills.length === count);
        await Promise.all(kills);
        await app.start();
      }
      await world.until("the tasks are there", () => comment(issue).includes("0 of 3 landed"));
      expect(issue.subIssues.map(({ title }) => title)).toHaveLength(3);
      const opened = [...world.github.world.threads.values()].filter(
        (thread) => thread.kind === "issue",
      );
      expect(opened).toHaveLength(4);
      expect(issue.comments).toHaveLength(1);
    },
  );

  further(
    "keeps its comment whole when a command is answered on it, also where people made the tasks",
    async () => {
      world = await World.create();
      const issue = await world.addTask({ id: "whole" });
      const part = await world.addTask({ id: "part", files: ["src/part.txt"] });
      const ann = world.github.as("ann");
      ann.adopt(issue, part);
      ann.label(issue, "objective");
      await world.until("it is followed", () => comment(issue).includes("0 of 1 landed"));
      await world.settle();
      const texts: string[] = [];
      world.github.world.listeners.push((event) => {
        if (event.name === "issue_comment" && event.action === "edited")
          texts.push(event.comment.body);
      });
      ann.comment(issue, "/explain");
      await world.until("it is answered", () => comment(issue).includes("Answer to `/explain`"));
      await world.settle();
      expect(texts.filter((text) => !text.includes("0 of 1 landed"))).toEqual([]);
      expect(comment(issue)).toContain("Answer to `/explain`");
    },
  );

  further("is left alone when somebody without write access put the label on", async () => {
    world = await World.create();
    await addObjective("wish", { adr: ADR, tasks: [CART] });
    const body = world.issue("wish").body ?? "";
    const issue = world.github
      .as("eve")
      .openIssue({ repo: world.repository, title: "Everything", body, labels: ["objective"] });
    await world.until("it is held back", () => comment(issue).includes("held back"));
    await world.settle();
    expect(comment(issue)).toContain("someone with write access has to");
    expect(issue.subIssues).toEqual([]);
    expect(await world.journal()).toEqual([]);
  });

  further(
    "says what is wrong with a proposal that cannot be used, after the runner had a second try",
    async () => {
      world = await World.create();
      const bad = { adr: ADR, tasks: [{ ...CART, files: ["../secrets"] }] };
      const issue = await addObjective("odd", bad);
      world.github.as("ann").label(issue, "objective");
      await world.until("it is given up", () => comment(issue).includes("could not be broken"));
      expect(comment(issue)).toContain("../secrets");
      expect(await world.attemptsOf("odd")).toEqual([1, 2]);
      expect(await world.agentFile("odd.2.prompt")).toContain("../secrets");
      expect(issue.subIssues).toEqual([]);
    },
  );

  further("is tried again by /retry and given up by /cancel, wherever its card is", async () => {
    world = await World.create();
    const issue = await addObjective("odd", { adr: ADR, tasks: [] });
    const ann = world.github.as("ann");
    ann.label(issue, "objective");
    await world.until("it is given up", () => comment(issue).includes("could not be broken"));
    await world.rescript("odd", { ...proposing({}), waitFor: ["go"] });
    ann.comment(issue, "/retry");
    await world.until("it is at work", async () => (await world.attemptsOf("odd")).length === 3);
    ann.comment(issue, "/cancel not now");
    await world.until("it is over", () => comment(issue).includes("Answer to `/cancel`"));
    await world.settle();
    expect(comment(issue)).toContain("its run is being stopped");
    expect((await world.tasks()).map(({ state }) => state)).toEqual(["cancelled"]);

    await world.rescript("odd", proposing({ adr: ADR, tasks: [CART] }));
    ann.comment(issue, "/retry");
    await world.until("the tasks are there", () => comment(issue).includes("0 of 2 landed"));
    const late = ann.comment(issue, "/cancel");
    await world.until("it is answered", () => late.reactions.length > 0);
    await world.settle();
    expect(comment(issue)).toContain("close those that are not wanted");
    expect(world.column("odd")).toBe("Backlog");
  });
});
