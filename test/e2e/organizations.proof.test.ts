import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Installation } from "../../local-github/model/app.ts";
import type { Issue } from "../../local-github/model/issue.ts";
import type { Repository } from "../../local-github/model/repository.ts";
import { repoName } from "../../src/domain/ids.ts";
import { aliasMarker } from "../../src/domain/markers.ts";
import { further } from "../support/further.ts";
import { World } from "../support/world.ts";

const COLUMNS = ["Backlog", "Ready", "In progress", "In review", "Queued", "Blocked", "Done"];
const CONFIG = ".github/wavetrain.yml";
const FILES = {
  "README.md": "# here\n",
  [CONFIG]: "verify: test -f README.md\nboard: { project: 1 }\n",
};

interface Other {
  readonly repository: Repository;
  readonly installation: Installation;
  column(issue: Issue): string | null;
  /** Opens an issue with its card in Ready; the agent writes a file of that name. */
  readyTask(id: string, repository?: Repository): Promise<Issue>;
}

let world: World;
let other: Other;
afterEach(() => world.close());

beforeEach(async () => {
  world = await World.create({ files: FILES, operator: { repositories: {} } });
  world.approveEverything();
  other = await addOther();
  await world.settle();
});

/** A second organization on the same server, with a board, a repository and an installation of its own. */
async function addOther(): Promise<Other> {
  const { github } = world;
  github.addOrganization("globex");
  const project = github.addProject({ org: "globex", title: "Work", columns: COLUMNS });
  const repository = await addRepository("depot");
  const { permissions, events } = world.github.world.installations[0]!;
  const installation = github.installApp({ account: "globex", permissions, events });
  const readyTask = async (id: string, repo = repository): Promise<Issue> => {
    const ann = github.as("ann");
    const issue = ann.openIssue({ repo, title: `Task ${id}`, body: aliasMarker(id) });
    await world.rescript(id, { writes: { [`${id}.txt`]: `${id}\n` } });
    github.addCard(project, issue, "Backlog");
    ann.moveCard(issue, "Ready");
    return issue;
  };
  return { repository, installation, readyTask, column: (issue) => github.columnOf(issue) };
}

function addRepository(name: string, files: Readonly<Record<string, string>> = FILES) {
  const roles = { ann: "admin", bob: "write" } as const;
  return world.github.addRepository({ owner: "globex", name, from: files, roles });
}

async function readyHere(id: string): Promise<void> {
  await world.addTask({ id, files: [`src/${id}.txt`] });
  world.moveToReady(id);
}

function untilDone(issue: Issue): Promise<void> {
  return world.until(`#${issue.number} is done`, () => other.column(issue) === "Done");
}

async function tasksOf(name: string): Promise<number> {
  return (await world.app.store.readRepo(repoName(name))).tasks.length;
}

async function saysGone(): Promise<boolean> {
  return (await world.notices()).some((line) => line.includes("does not see this repository"));
}

describe("two organizations on one server", () => {
  it("have boards, tasks and budgets of their own", async () => {
    await readyHere("here");
    const there = await other.readyTask("there");
    await world.untilColumn("Done", "here");
    await untilDone(there);
    expect([await tasksOf("acme/shop"), await tasksOf("globex/depot")]).toEqual([1, 1]);
    const ids = world.github.world.installations.map(({ id }) => id);
    const { budgets } = await world.status();
    expect(new Set(budgets.map(({ installation }) => installation))).toEqual(new Set(ids));
  });

  further("sign up by themselves: a repository without a file is left alone in each", async () => {
    const bare = await addRepository("bare", { "README.md": "# bare\n" });
    const issue = await other.readyTask("bare", bare);
    await untilDone(await other.readyTask("there"));
    await world.settle();
    expect(other.column(issue)).toBe("Ready");
    expect(await tasksOf("globex/bare")).toBe(0);
  });
});

describe("one of two organizations", () => {
  it("that is suspended holds up nothing of the other", async () => {
    world.github.suspend(other.installation);
    const stuck = await other.readyTask("there");
    await readyHere("here");
    await world.untilColumn("Done", "here");
    expect(other.column(stuck)).toBe("Ready");
  });

  further("that refuses its token hides only its own repositories", async () => {
    world.github.faults.answer({
      matches: ({ path }) => path === `/app/installations/${other.installation.id}/access_tokens`,
      status: 403,
      message: "Resource not accessible by integration",
      times: 1000,
    });
    await world.stopApp();
    await world.startApp();
    await readyHere("here");
    await world.untilColumn("Done", "here");
  });

  further("that uninstalls the app waits, and goes on when it is installed again", async () => {
    const there = await other.readyTask("there");
    await untilDone(there);
    const { permissions, events } = other.installation;
    const next = await other.readyTask("next");
    world.github.as("ann").uninstall(other.installation);
    await world.until("it is said", saysGone);
    await readyHere("here");
    await world.untilColumn("Done", "here");
    const actor = world.github.as("ann").user;
    world.github.installApp({ account: "globex", permissions, events, actor });
    await untilDone(next);
    expect(await saysGone()).toBe(false);
  });

  further(
    "that takes a repository out of the installation waits with it until it is added again",
    async () => {
      const second = await addRepository("second");
      world.github.as("ann").removeFromInstallation(other.installation, [other.repository]);
      await world.settle();
      const stuck = await other.readyTask("there");
      const goesOn = await other.readyTask("second", second);
      await untilDone(goesOn);
      expect(other.column(stuck)).toBe("Ready");
      world.github.as("ann").addToInstallation(other.installation, [other.repository]);
      await untilDone(stuck);
    },
  );
});
