import { describe, expect, it } from "vitest";
import { decideRepo } from "../../../src/doctor/decide/decide-repo.ts";
import { decideSetup } from "../../../src/doctor/decide/decide-setup.ts";
import type { RepoDetails, RepoReading } from "../../../src/doctor/decide/repo-reading.ts";
import { repoName } from "../../../src/domain/ids.ts";
import type { BranchRules } from "../../../src/ports/github.ts";
import type { ProjectFacts, Refusal } from "../../../src/ports/inspection.ts";
import { fail, ok } from "../../../src/shared/result.ts";
import { aConfig } from "../../support/a-config.ts";
import { told } from "../told.ts";

const LABELS = [
  "Parallel-Safe",
  "exclusive",
  "priority:high",
  "priority:low",
  "explore",
  "objective",
];
const COLUMNS = ["Ready", "In progress", "In review", "Queued", "Done", "Blocked"];
const FREE: BranchRules = {
  approvals: 0,
  checks: [],
  restricted: false,
  mergeQueue: false,
  linear: false,
  signatures: false,
};
const field = (name: string, type = "NUMBER") => ({ name, type, options: undefined });
const PROJECT: ProjectFacts = {
  id: "PVT_1",
  title: "Board",
  closed: false,
  writable: true,
  cards: 3,
  fields: [
    { name: "Status", type: "SINGLE_SELECT", options: COLUMNS },
    field("Wave"),
    field("runner", "TEXT"),
    field("Attempt"),
    field("Cost"),
    field("Reason", "TEXT"),
  ],
};
const REFUSED: Refusal = { kind: "refused", status: 403, words: "Resource not accessible" };

interface Wishes {
  readonly file?: Readonly<Record<string, unknown>>;
  readonly details?: Partial<RepoDetails>;
  readonly reading?: Partial<RepoReading>;
}

function aReading({ file = { verify: "npm test" }, details, reading }: Wishes = {}): RepoReading {
  const config = aConfig(file);
  const isProject = config.board.kind !== "labels";
  return {
    installed: {
      id: 1,
      repo: repoName("acme/shop"),
      defaultBranch: "main",
      private: true,
      owner: "organization",
    },
    seesProjects: true,
    leftAlone: undefined,
    gitLfs: fail("there is no such program"),
    config: ok({ hasFile: true, read: ok(config) }),
    more: {
      config,
      base: "main",
      branch: ok({ protected: false }),
      outOfReach: ok({ submodules: [], lfs: [] }),
      rules: ok(FREE),
      labels: ok(LABELS),
      project: isProject ? ok(PROJECT) : undefined,
      ...details,
    },
    ...reading,
  };
}

const decide = (wishes?: Wishes) =>
  told(decideRepo(aReading(wishes))).filter((line) => !line.startsWith("ok"));
const withProject = (project: Partial<ProjectFacts>) =>
  decide({ details: { project: ok({ ...PROJECT, ...project }) } });
const withRules = (rules: Partial<BranchRules>, file: Readonly<Record<string, unknown>> = {}) =>
  told(
    decideRepo(
      aReading({ file: { verify: "x", ...file }, details: { rules: ok({ ...FREE, ...rules }) } }),
    ),
  ).filter((line) => line.includes("base-branch"));

describe("decideRepo", () => {
  it("has nothing against a repository where all is right", () => {
    expect(told(decideRepo(aReading()))).toMatchInlineSnapshot(`
      [
        "ok repository-file: .github/wavetrain.yml is valid",
        "ok board: project 1 ("Board"): 3 cards",
        "ok columns: every role has its column",
        "ok fields: Wave, Runner, Attempt, Cost and Reason are filled in",
        "ok labels: the labels exist",
        "ok verify: what lands is verified by the repository's command",
        "ok base-branch: main: changes land after 1 approval by a fast-forward to exactly what was verified",
      ]
    `);
  });

  it("says what no run can change", () => {
    const lfs = [
      { pattern: "**/*.psd", kept: true },
      { pattern: "a/*.psd", kept: false },
    ];
    const submodules = ["a", "b", "c", "d", "e", "f"];
    expect(decide({ details: { outOfReach: ok({ submodules, lfs }) } })).toMatchInlineSnapshot(`
      [
        "warning out-of-reach: submodules (a, b, c, d, e and 1 more) are empty folders for runs, which cannot change them → leave such tasks to a person; docs/tasks.md says what is blocked",
        "warning git-lfs: files that Git LFS keeps (**/*.psd) are pointers for runs, which must not change them → install git-lfs on the server, or leave such tasks to a person",
      ]
    `);
    expect(decide({ details: { outOfReach: fail(REFUSED) } })).toEqual([]);
    const installed = { gitLfs: ok("git-lfs/3.3.0") };
    const details = { outOfReach: ok({ submodules: [], lfs }) };
    expect(decide({ details, reading: installed })).toEqual([]);
    expect(told(decideRepo(aReading({ details, reading: installed })))).toContain(
      "ok git-lfs: git-lfs/3.3.0 is there for its files",
    );
  });

  it("names each wrong line of its file, and skips the rest", () => {
    const read = fail([".github/wavetrain.yml:1:1: a", ".github/wavetrain.yml:2:1: b"]);
    const reading = { config: ok({ hasFile: true, read }), more: undefined };
    expect(decide({ reading })).toMatchInlineSnapshot(`
      [
        "problem repository-file: .github/wavetrain.yml:1:1: a → put it right on the default branch of acme/shop; docs/configuration.md lists every key",
        "problem repository-file: .github/wavetrain.yml:2:1: b → put it right on the default branch of acme/shop; docs/configuration.md lists every key",
        "skipped repository: board, labels and rules: once .github/wavetrain.yml can be used",
      ]
    `);
    const unreadable = { config: fail(REFUSED), more: undefined };
    expect(decide({ reading: unreadable })[0]).toMatch(/^problem repository-file/);
  });

  it("warns that everybody reads a public one", () => {
    const { installed } = aReading();
    const reading = { installed: { ...installed, private: false } };
    expect(decide({ reading })[0]).toMatch(/^warning visibility/);
  });

  it("tells a board that may not be seen from one that is not there and from an empty one", () => {
    const project = ok(undefined);
    expect(decide({ details: { project } })[0]).toContain("acme has no project 1");
    const [hidden] = decide({ details: { project }, reading: { seesProjects: false } });
    expect(hidden).toContain("so the board looks empty");
    expect(withProject({ cards: 0 })).toEqual([]);
    expect(decide({ details: { project: fail(REFUSED) } })[0]).toContain("cannot be read");
  });

  it("says that no app sees a person's projects", () => {
    const { installed } = aReading();
    const reading = { installed: { ...installed, owner: "user" as const } };
    expect(decide({ reading })[0]).toContain("no app can see the projects of acme, a person");
  });

  it("knows a project that is closed or cannot be written", () => {
    expect(withProject({ closed: true })[0]).toContain('project 1 ("Board") is closed');
    expect(withProject({ writable: false })[0]).toContain("cards cannot be moved");
  });

  it("names the columns and fields that are missing or of no use", () => {
    const [status, ...others] = PROJECT.fields;
    const renamed = { ...status!, options: ["Todo", "In progress", "In review", "Queued", "Done"] };
    expect(withProject({ fields: [renamed, ...others] })).toMatchInlineSnapshot(`
      [
        "problem columns: no column "Ready" for the role ready → add it to the project, or set board.columns.ready to one of "Todo", "In progress", "In review", "Queued", "Done"",
        "warning columns: no column "Blocked" for the role blocked → add it to the project, or set board.columns.blocked to one of "Todo", "In progress", "In review", "Queued", "Done"",
      ]
    `);
    expect(withProject({ fields: [status!, field("Wave", "DATE")] })).toMatchInlineSnapshot(`
      [
        "warning fields: the field Wave is of type DATE: it is left alone → rename it, and let wavetrain doctor --setup make one",
        "warning fields: the project has no fields Runner, Attempt, Cost, Reason → wavetrain doctor --setup makes them; it works without, too",
      ]
    `);
    expect(withProject({ fields: others })[0]).toContain('no single-select field "Status"');
  });

  it("names the labels that are missing, whatever their case, with those of a label board", () => {
    expect(decide({ details: { labels: ok(["PARALLEL-SAFE"]) } })[0]).toContain(
      "no labels exclusive, priority:high, priority:low, explore, objective",
    );
    const file = { verify: "x", board: { kind: "labels", labelPrefix: "w:" } };
    expect(decide({ file })[0]).toContain("no labels w:ready, w:in-progress, w:in-review");
    expect(decide({ details: { labels: fail(REFUSED) } })[0]).toContain("labels cannot be read");
  });

  it("wants to know how a change is verified", () => {
    expect(decide({ file: {} })[0]).toMatch(/^problem verify/);
    expect(decide({ file: { allowUnverified: true } })[0]).toMatch(/^warning verify/);
    expect(decide({ file: { train: { checks: ["ci"] } } })).toEqual([]);
  });

  it("wants a base branch whose rules can be read", () => {
    expect(decide({ details: { branch: ok(undefined) } })[0]).toContain("there is no branch main");
    expect(decide({ details: { branch: fail(REFUSED) } })[0]).toContain("cannot be read");
    expect(decide({ details: { rules: fail(REFUSED) } })[0]).toContain("the rules of main");
  });

  it("says that a branch which takes signed commits only takes nothing of the app", () => {
    const branch = ok({ protected: true });
    expect(decide({ details: { branch } })).toEqual([]);
    const rules = ok({ ...FREE, restricted: true, signatures: true });
    expect(decide({ details: { branch, rules } })).toEqual([
      "problem base-branch: main takes signed commits only, and the app does not sign: GitHub refuses what it lands → take required signatures off the branch, or land its pull requests by hand",
    ]);
  });

  it.each<[string, Partial<BranchRules>, Readonly<Record<string, unknown>>]>([
    ["free", {}, {}],
    ["restricted", { restricted: true, approvals: 2, checks: [{ name: "ci", app: 3 }] }, {}],
    ["with a merge queue", { mergeQueue: true }, {}],
    ["restricted, to be moved", { restricted: true }, { train: { landing: "fast-forward" } }],
    ["without the queue that is wanted", {}, { train: { landing: "merge-queue" } }],
    ["with a queue that is not wanted", { mergeQueue: true }, { train: { landing: "merge-api" } }],
    ["restricted, for commits", { restricted: true }, { land: "commit" }],
    ["free, for commits", {}, { land: "commit" }],
    ["linear, for merges", { linear: true }, { merge: "merge" }],
    ["linear, for squashes", { linear: true }, { merge: "squash" }],
  ])("says how changes come to a branch that is %s", (_name, rules, file) => {
    expect(withRules(rules, file)).toMatchSnapshot();
  });
});

describe("decideSetup", () => {
  it("makes nothing where nothing is missing, or nothing could be read", () => {
    expect(decideSetup(aReading())).toEqual([]);
    expect(decideSetup(aReading({ reading: { more: undefined } }))).toEqual([]);
    const details = { labels: fail(REFUSED), project: fail(REFUSED) };
    expect(decideSetup(aReading({ details }))).toEqual([]);
  });

  it("makes fields of the type that they are filled with, and labels", () => {
    const [status] = PROJECT.fields;
    const project = ok({ ...PROJECT, fields: [status!, field("WAVE", "TEXT")] });
    const made = decideSetup(aReading({ details: { project, labels: ok(LABELS.slice(1)) } }));
    expect(
      made.map((one) =>
        one.kind === "field" ? `${one.field.name} ${one.field.type}` : one.label.name,
      ),
    ).toEqual(["Runner TEXT", "Attempt NUMBER", "Cost NUMBER", "Reason TEXT", "parallel-safe"]);
  });

  it("makes no field in a project that it may not write", () => {
    const project = ok({ ...PROJECT, writable: false, fields: [] });
    expect(decideSetup(aReading({ details: { project } }))).toEqual([]);
  });
});
