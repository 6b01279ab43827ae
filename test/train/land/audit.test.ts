import { beforeEach, describe, expect, it } from "vitest";
import type { Candidate, Entry } from "../../../src/domain/entry.ts";
import { batchId, entryId, taskIdOf } from "../../../src/domain/ids.ts";
import type { Sha } from "../../../src/domain/ids.ts";
import { newTrain } from "../../../src/domain/train.ts";
import type { Deps, RepoContext } from "../../../src/ports/deps.ts";
import type { MergeLock } from "../../../src/ports/store.ts";
import { auditLanded } from "../../../src/train/land/audit.ts";
import { resolveLanding } from "../../../src/train/land/resolve-landing.ts";
import { aConfig } from "../../support/a-config.ts";
import { REPO, aTask, anEntry, someEvidence } from "../../support/builders.ts";
import { createInstance } from "../model/instance.ts";
import { ModelClock } from "../model/model-clock.ts";
import { ModelHub } from "../model/model-hub.ts";
import { ModelStore } from "../model/model-store.ts";
import { Objects } from "../model/objects.ts";
import { Turns } from "../model/turns.ts";
import { aPolicy } from "../snapshot.ts";

const CONTEXT: RepoContext = { repo: REPO, base: "main", config: aConfig() };

let objects: Objects;
let hub: ModelHub;
let store: ModelStore;
let deps: Deps;
let heads: readonly Sha[];
beforeEach(() => {
  objects = new Objects();
  hub = new ModelHub(objects, "main", { shared: "1" });
  const clock = new ModelClock();
  const turns = new Turns();
  turns.calm = true;
  store = new ModelStore(() => clock.now);
  const shared = { turns, hub, store, clock, random: () => 0, isGreen: () => true };
  deps = createInstance("one", shared);
  heads = [1, 2].map((n) => objects.write({ shared: "1", [`dir-${n}/f`]: "x" }, [hub.tip], `${n}`));
  heads.forEach((head, at) => hub.openPull(11 + at, `wavetrain/${at + 1}`, head));
});

/** As GitHub's own queue did on one day: the second change is put on the base from before the first one, which it takes back. */
function landWithWrongBase(): { readonly first: Sha; readonly second: Sha } {
  const first = objects.write({ shared: "1", "dir-1/f": "x" }, [hub.tip], "first");
  const second = objects.write({ shared: "1", "dir-2/f": "x" }, [first], "second");
  hub.move("main", second, "others");
  return { first, second };
}

describe("the auditor", () => {
  it("finds nothing wrong with a landing that is its parent plus the change", async () => {
    const { first } = landWithWrongBase();
    expect(await auditLanded({ commit: first, head: heads[0]! }, CONTEXT, deps)).toBeUndefined();
  });

  it("catches a landing that takes back the one before it, although every test is green", async () => {
    const { second } = landWithWrongBase();
    const breach = await auditLanded({ commit: second, head: heads[1]! }, CONTEXT, deps);
    expect(breach).toContain("is not its parent plus");
  });

  it("halts the train when one of its own landings is not what it should be", async () => {
    const base = hub.tip;
    const { first, second } = landWithWrongBase();
    const step = (at: number, commit: Sha) => ({
      entry: entryId(`e${at}`),
      head: heads[at]!,
      commit,
      tree: objects.commitOf(commit).tree,
    });
    const steps = [step(0, first), step(1, second)];
    const candidate: Candidate = {
      base,
      method: "squash",
      steps,
      commit: second,
      tree: steps[1]!.tree,
    };
    const entries = [0, 1].map((at) => landingEntry(at, candidate));
    const train = newTrain(REPO, "main", deps.clock.now());
    const acquired = store.acquireLease("train", "one", 1000);
    const lock = { lease: acquired.kind === "held" && acquired.lease } as unknown as MergeLock;
    store.record(REPO, [{ kind: "train-added", train }, ...entries.flatMap(recorded)]);
    const batch = { id: batchId("batch"), entries, candidate };
    const { tasks } = store.memory();
    const pass = { context: CONTEXT, lock, policy: aPolicy(), train, tasks, entries: [], runs: [] };
    store.record(REPO, [
      {
        kind: "intent-opened",
        intent: {
          key: "land:batch",
          repo: REPO,
          kind: "land",
          subject: "octo/app#1",
          detail: {},
          openedAt: deps.clock.now(),
        },
      },
    ]);
    await resolveLanding(
      { batch, outcome: { kind: "moved" } },
      { ...pass, tip: undefined, look: undefined },
      deps,
    );
    expect(store.memory().trains).toMatchObject([{ state: "halted", cause: "integrity-breach" }]);
  });
});

function landingEntry(at: number, candidate: Candidate): Entry {
  const members = { task: taskIdOf(REPO, at + 1), pull: 11 + at, head: heads[at]!, place: at };
  const evidence = someEvidence({ candidate });
  return anEntry({
    id: entryId(`e${at}`),
    state: "landing",
    batch: batchId("batch"),
    candidate,
    evidence,
    ...members,
  });
}

function recorded(entry: Entry, at: number) {
  const queued: Entry = { ...entry, state: "queued" };
  const move = { entry: entry.id, reason: "because", at: deps.clock.now() };
  const task = aTask({ issue: at + 1, state: "queued", pull: entry.pull });
  return [
    { kind: "task-added", task },
    { kind: "entry-added", entry: queued },
    { kind: "entry-moved", ...move, from: "queued", to: "verifying", set: {} },
    { kind: "entry-moved", ...move, from: "verifying", to: "verified", set: {} },
    { kind: "entry-moved", ...move, from: "verified", to: "landing", set: {} },
  ] as const;
}
