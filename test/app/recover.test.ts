import { beforeEach, describe, expect, it } from "vitest";
import { createNotices } from "../../src/app/notices.ts";
import { recover } from "../../src/app/recover.ts";
import { taskId } from "../../src/domain/ids.ts";
import type { Run } from "../../src/domain/run.ts";
import type { Task, TaskState } from "../../src/domain/task.ts";
import type { Deps } from "../../src/ports/deps.ts";
import type { Workspace } from "../../src/ports/git.ts";
import { REPO, aRun, aTask, shaOf } from "../support/builders.ts";
import { TestLog } from "../support/test-log.ts";

let workspaces: Workspace[];
let commands: string[];
let homes: string[];
let runs: readonly Run[];
let tasks: readonly Task[];
/** What was done, in order. */
let done: string[];
let inPlace: boolean;
let deps: Deps;

beforeEach(() => {
  workspaces = [{ repo: REPO, id: "run-1", place: "1", path: "/trees/1", base: shaOf(1) }];
  commands = ["run-1/setup", "run-1/agent"];
  homes = [];
  runs = [aRun({ state: "running" })];
  tasks = [aTask({ state: "running" })];
  done = [];
  inPlace = true;
  const note = (what: string) => (of: string | Workspace) => {
    done.push(`${what} ${typeof of === "string" ? of : of.id}`);
    return Promise.resolve();
  };
  deps = {
    log: new TestLog(),
    notices: createNotices(new TestLog()),
    lostStore: { note: () => Promise.resolve() },
    git: {
      tendMirrors: () => Promise.resolve([]),
      listWorkspaces: () => Promise.resolve(workspaces),
      isInPlace: () => Promise.resolve(inPlace),
      rescueWorkspace: note("rescue"),
      closeWorkspace: note("close"),
      putWorkspaceAside: note("put aside"),
    },
    processes: {
      list: () => Promise.resolve(commands),
      reap: note("reap"),
      forget: note("forget"),
    },
    host: {
      markerOf: (id: string) => id,
      listHomes: () => Promise.resolve(homes),
      removeTmp: note("remove tmp of"),
      removeHome: note("remove home of"),
    },
    store: {
      events: () => Promise.resolve([{}]),
      readRepo: () => Promise.resolve({ tasks, runs, entries: [], intents: [] }),
      taskStates: () => Promise.resolve(new Map(tasks.map(({ id, state }) => [id, state]))),
    },
  } as unknown as Deps;
});

const cleared = (id: string): readonly string[] => [
  `reap ${id}`,
  `forget ${id}`,
  `remove tmp of ${id}`,
  `remove home of ${id}`,
];
const watchIt = (): Promise<readonly [typeof REPO]> => Promise.resolve([REPO]);

describe("recover", () => {
  it("keeps a run whose workspace and commands are there", async () => {
    expect(await recover(deps, watchIt)).toEqual([{ repo: REPO, run: runs[0] }]);
    expect(done).toEqual([]);
  });

  it.each([
    ["was never started", () => (runs = [aRun({ state: "queued" })])],
    ["has ended", () => (runs = [aRun({ state: "finished" })])],
    ["is of a task that moved on", () => (tasks = [aTask({ state: "cancelled" })])],
    ["is unknown", () => (runs = [])],
    ["has something else in place of its workspace", () => (inPlace = false)],
  ])("saves and clears the work of a run that %s", async (_what, change) => {
    change();
    expect(await recover(deps, watchIt)).toEqual([]);
    expect(done.slice(0, 6)).toEqual([...cleared("run-1"), "rescue run-1", "close run-1"]);
  });

  it("knows by its folder whose workspace it is when the note that says so is gone", async () => {
    workspaces = [{ repo: REPO, id: "1", place: "1", path: "/trees/1", base: shaOf(1) }];
    runs = [aRun({ state: "running", workspace: "/trees/1" })];
    expect(await recover(deps, watchIt)).toEqual([{ repo: REPO, run: runs[0] }]);
    commands = [];
    expect(await recover(deps, watchIt)).toEqual([]);
    expect(done).toEqual(expect.arrayContaining(["rescue run-1", "close run-1"]));
  });

  it("takes a workspace for nobody's when its note is gone and the run before it has ended", async () => {
    workspaces = [{ repo: REPO, id: "1", place: "1", path: "/trees/1", base: shaOf(1) }];
    runs = [aRun({ state: "finished", workspace: "/trees/1" })];
    expect(await recover(deps, watchIt)).toEqual([]);
    expect(done).toEqual(expect.arrayContaining(["rescue 1", "close 1"]));
  });

  it("ends the processes of a run whose repository nobody watches any more", async () => {
    expect(await recover(deps, () => Promise.resolve([]))).toEqual([]);
    expect(done[0]).toBe("reap run-1");
  });

  it("does not take up a run that had not begun to work: its workspace may be half made", async () => {
    commands = [];
    expect(await recover(deps, watchIt)).toEqual([]);
    expect(done).toContain("close run-1");
  });

  it("ends commands without a workspace, and asks nobody what is watched when there is none", async () => {
    workspaces = [];
    commands = ["verify-1/setup", "verify-1/verify"];
    expect(await recover(deps, () => Promise.reject(new Error("not needed")))).toEqual([]);
    expect(done).toEqual(cleared("verify-1"));
  });

  it.each<[TaskState, boolean]>([
    ["landed", true],
    ["cancelled", true],
    ["failed", false],
    ["review", false],
  ])("of a task that is %s, removes the HOME: %s", async (state, removed) => {
    workspaces = [];
    commands = [];
    homes = [taskId("octo/app#1")];
    tasks = [aTask({ state })];
    await recover(deps, watchIt);
    expect(done).toEqual(removed ? ["remove home of octo/app#1"] : []);
  });
});
