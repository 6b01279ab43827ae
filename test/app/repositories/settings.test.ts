import { beforeEach, describe, expect, it } from "vitest";
import { createNotices } from "../../../src/app/notices.ts";
import { Settings } from "../../../src/app/repositories/settings.ts";
import { operatorConfigSchema } from "../../../src/config/schema/operator-config.ts";
import { sha } from "../../../src/domain/ids.ts";
import type { GitHub } from "../../../src/ports/github.ts";
import type { Notices } from "../../../src/ports/notices.ts";
import type { ReadConfigFile } from "../../../src/report/publish/publish-config.ts";
import { AppError } from "../../../src/shared/app-error.ts";
import { OTHER_REPO, REPO } from "../../support/builders.ts";
import { TestClock } from "../../support/test-clock.ts";
import { TestLog } from "../../support/test-log.ts";

const TEN_MINUTES_MS = 10 * 60_000;

let clock: TestClock;
let log: TestLog;
let reads: number;
/** The repository's file as it is on GitHub now. */
let file: { readonly text: string; readonly sha: string } | undefined;
let down: boolean;
let installed: (typeof REPO)[];
let owner: "organization" | "user";
/** Problems of each file that was read. */
let announced: number[];
let defaultBranch: string;
let mayWriteWorkflows: boolean;
let isPrivate: boolean;
let notices: Notices;
let branches: Set<string>;

beforeEach(() => {
  clock = new TestClock();
  log = new TestLog();
  reads = 0;
  file = undefined;
  down = false;
  installed = [REPO];
  owner = "organization";
  announced = [];
  defaultBranch = "trunk";
  isPrivate = true;
  mayWriteWorkflows = false;
  branches = new Set(["main", "trunk", "release"]);
});

/** The operator names both, so that they take part without a file. */
const NAMED = { [REPO]: {}, [OTHER_REPO]: {} };

function settings(
  repositories: Record<string, unknown> = NAMED,
  serve: { readonly allow?: readonly string[]; readonly deny?: readonly string[] } = {},
): Settings {
  const github: Pick<GitHub, "listRepos" | "readConfigFile" | "branchHead"> = {
    listRepos: () =>
      Promise.resolve(
        installed.map((repo, at) => ({
          id: at,
          repo,
          defaultBranch,
          private: isPrivate,
          owner,
          mayWriteWorkflows,
        })),
      ),
    branchHead: (_, branch) =>
      branches.has(branch)
        ? Promise.resolve(sha("a".repeat(40)))
        : Promise.reject(new AppError("github-refused", `no ${branch}`)),
    readConfigFile: () => {
      reads += 1;
      if (down) return Promise.reject(new AppError("github-unavailable", "down"));
      return Promise.resolve(file);
    },
  };
  const operator = operatorConfigSchema.parse({
    runners: { agent: { command: "agent" } },
    repositories,
    serve,
  });
  notices = createNotices(log);
  const announce = ({ problems }: ReadConfigFile) => {
    announced.push(problems.length);
    return Promise.resolve();
  };
  return new Settings({ github: github as GitHub, operator, clock, notices, announce });
}

async function discovered(repositories: Record<string, unknown> = NAMED): Promise<Settings> {
  const made = settings(repositories);
  await made.discover();
  return made;
}

describe("a repository", () => {
  it("whose owner grants the app more is another to the plan, and only then", async () => {
    const known = await discovered();
    const before = await known.contextOf(REPO);
    expect(before.mayWriteWorkflows).toBe(false);
    await known.discover();
    expect(await known.contextOf(REPO)).toBe(before);
    mayWriteWorkflows = true;
    await known.discover();
    expect(await known.contextOf(REPO)).toEqual({ ...before, mayWriteWorkflows: true });
  });

  it("that becomes public is said to be, until it is private again", async () => {
    const known = await discovered();
    await known.contextOf(REPO);
    expect(notices.of(REPO)).toEqual([]);
    isPrivate = false;
    await known.discover();
    expect(notices.of(REPO)).toEqual([expect.stringContaining("everybody can read")]);
    isPrivate = true;
    await known.discover();
    expect(notices.of(REPO)).toEqual([]);
  });
});

describe("a base branch", () => {
  it("that is the default branch is followed when that is called otherwise", async () => {
    const known = await discovered();
    expect((await known.contextOf(REPO)).base).toBe("trunk");
    defaultBranch = "main";
    expect([known.isNewDefault(REPO, "trunk"), known.isNewDefault(REPO, "main")]).toEqual([
      false,
      true,
    ]);
    await known.discover();
    expect((await known.contextOf(REPO)).base).toBe("main");
  });

  it("that has a name of its own stops everything while it is not there", async () => {
    file = { text: "base: release\n", sha: "1" };
    const known = await discovered();
    expect((await known.contextOf(REPO)).base).toBe("release");
    branches.delete("release");
    known.forget(REPO);
    for (let again = 0; again < 2; again += 1) {
      await expect(known.contextOf(REPO)).rejects.toThrow(
        `base is release, which is no branch of ${REPO}; the default branch is trunk`,
      );
    }
    expect(log.seen).toEqual(["base branch is gone"]);
    branches.add("release");
    expect((await known.contextOf(REPO)).base).toBe("release");
  });
});

describe("Settings", () => {
  it("gives a repository without a file the defaults and its default branch", async () => {
    const context = await (await discovered()).contextOf(REPO);
    expect(context).toMatchObject({ repo: REPO, base: "trunk", config: { merge: "squash" } });
    expect(log.seen).toEqual([]);
  });

  it.each([
    { owns: "organization", text: "", kind: "project" },
    { owns: "user", text: "", kind: "labels" },
    { owns: "user", text: "board: { project: 2 }\n", kind: "project" },
    { owns: "organization", text: "board: { kind: labels }\n", kind: "labels" },
  ] as const)("gives a repository of a $owns with $text a board of $kind", async (one) => {
    owner = one.owns;
    file = { text: one.text, sha: "1" };
    const { config } = await (await discovered()).contextOf(REPO);
    expect(config.board.kind).toBe(one.kind);
  });

  it("reads the file once while it is fresh", async () => {
    file = { text: "", sha: "1" };
    const known = await discovered();
    await known.contextOf(REPO);
    await clock.advance(TEN_MINUTES_MS);
    await known.contextOf(REPO);
    expect(reads).toBe(1);
    await clock.advance(1);
    await known.contextOf(REPO);
    expect(reads).toBe(2);
  });

  it("takes a new file over after a push", async () => {
    const known = await discovered();
    await known.contextOf(REPO);
    file = { text: "base: release\n", sha: "1" };
    expect((await known.contextOf(REPO)).base).toBe("trunk");
    known.forget(REPO);
    expect((await known.contextOf(REPO)).base).toBe("release");
    file = undefined;
    known.forget(REPO);
    expect((await known.contextOf(REPO)).base).toBe("trunk");
  });

  it("keeps the last good file when the new one is bad, and says so once", async () => {
    file = { text: "base: release\n", sha: "1" };
    const known = await discovered();
    await known.contextOf(REPO);
    file = { text: "bass: oops\n", sha: "2" };
    for (let again = 0; again < 3; again += 1) {
      known.forget(REPO);
      expect((await known.contextOf(REPO)).base).toBe("release");
    }
    expect(log.seen).toEqual(["configuration refused"]);
    expect(announced).toEqual([0, 1]);
  });

  it("has no configuration while the first file is bad, says so once, and recovers", async () => {
    file = { text: "bass: oops\n", sha: "1" };
    const known = await discovered();
    for (let again = 0; again < 3; again += 1) {
      await expect(known.contextOf(REPO)).rejects.toMatchObject({ code: "config-invalid" });
    }
    expect(log.seen).toEqual(["configuration refused"]);
    file = { text: "base: release\n", sha: "2" };
    expect((await known.contextOf(REPO)).base).toBe("release");
  });

  it("lays the operator's settings over the file's", async () => {
    file = { text: "base: release\nverify: npm test\n", sha: "1" };
    const known = await discovered({ [REPO]: { base: "main" } });
    const { base, config } = await known.contextOf(REPO);
    expect([base, config.verify]).toEqual(["main", "npm test"]);
  });

  it("refuses a file that does not fit the operator's settings", async () => {
    file = { text: "board:\n  columns:\n    ready: Todo\n", sha: "1" };
    const known = await discovered({ [REPO]: { board: { columns: { done: "Todo" } } } });
    await expect(known.contextOf(REPO)).rejects.toMatchObject({ code: "config-invalid" });
    expect(log.seen).toEqual(["configuration refused"]);
  });

  it("passes on that GitHub does not answer, and reads again", async () => {
    down = true;
    const known = await discovered();
    await expect(known.contextOf(REPO)).rejects.toMatchObject({ code: "github-unavailable" });
    down = false;
    expect((await known.contextOf(REPO)).base).toBe("trunk");
  });

  it("knows no repository that the app is not installed on", async () => {
    const known = await discovered();
    known.forget(OTHER_REPO);
    await expect(known.contextOf(OTHER_REPO)).rejects.toMatchObject({ code: "config-invalid" });
  });

  it("keeps what it knows of the repositories that stay when others come and go", async () => {
    const known = await discovered();
    await known.contextOf(REPO);
    installed = [REPO, OTHER_REPO];
    expect(await known.discover()).toEqual([REPO, OTHER_REPO]);
    await known.contextOf(REPO);
    expect(reads).toBe(1);
    installed = [OTHER_REPO];
    await known.discover();
    await expect(known.contextOf(REPO)).rejects.toMatchObject({ code: "config-invalid" });
  });
});

describe("a repository that nobody signed up", () => {
  const SIX_HOURS_MS = 6 * 60 * 60_000;

  it("is left alone, and asked for its file only every few hours", async () => {
    const known = settings({});
    expect(await known.discover()).toEqual([]);
    await expect(known.contextOf(REPO)).rejects.toMatchObject({ code: "config-invalid" });
    for (let again = 0; again < 5; again += 1) await known.discover();
    expect(reads).toBe(1);
    await clock.advance(SIX_HOURS_MS + 1);
    expect(await known.discover()).toEqual([]);
    expect([reads, announced, log.seen]).toEqual([2, [], []]);
  });

  it("takes part from the push that brings its file, until one takes it away", async () => {
    const known = settings({});
    await known.discover();
    file = { text: "base: release\n", sha: "1" };
    expect(await known.participants()).toEqual([]);
    known.forget(REPO);
    expect(await known.participants()).toEqual([REPO]);
    expect((await known.contextOf(REPO)).base).toBe("release");
    file = undefined;
    known.forget(REPO);
    expect(await known.participants()).toEqual([]);
    expect(known.isInstalledOn(REPO)).toBe(true);
  });

  it("is not taken for one that has no file when GitHub does not answer", async () => {
    down = true;
    const known = settings({});
    await expect(known.discover()).rejects.toMatchObject({ code: "github-unavailable" });
    down = false;
    file = { text: "", sha: "1" };
    expect(await known.participants()).toEqual([REPO]);
  });
});

describe("the operator's word", () => {
  it.each([
    { allow: ["OCTO/*"], deny: [], part: true },
    { allow: ["octo/app"], deny: ["octo/a*"], part: false },
    { allow: ["octo/ap"], deny: [], part: false },
    { allow: ["other/*"], deny: [], part: false },
    { allow: ["*/*"], deny: [], part: true },
  ])("allow $allow and deny $deny: octo/app takes part: $part", async ({ allow, deny, part }) => {
    expect(await settings({}, { allow, deny }).discover()).toEqual(part ? [REPO] : []);
  });

  it("against a repository counts more than its file and its key", async () => {
    file = { text: "", sha: "1" };
    expect(await settings(NAMED, { deny: [REPO] }).discover()).toEqual([]);
    expect(reads).toBe(0);
  });
});
