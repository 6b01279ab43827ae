import { beforeEach, describe, expect, it } from "vitest";
import type { EntryState } from "../../src/domain/entry.ts";
import { batchId, entryId } from "../../src/domain/ids.ts";
import { newTrain } from "../../src/domain/train.ts";
import type { Deps, RepoContext } from "../../src/ports/deps.ts";
import { AppError } from "../../src/shared/app-error.ts";
import { apply } from "../../src/train/apply.ts";
import type { TrainAction } from "../../src/train/queue/action.ts";
import { withMergeLock } from "../../src/train/queue/with-merge-lock.ts";
import { aConfig } from "../support/a-config.ts";
import { REPO, aTask, anEntry, someEvidence } from "../support/builders.ts";
import { createInstance } from "./model/instance.ts";
import { ModelClock } from "./model/model-clock.ts";
import { ModelHub } from "./model/model-hub.ts";
import { ModelStore } from "./model/model-store.ts";
import { Objects } from "./model/objects.ts";
import { Turns } from "./model/turns.ts";
import { aPolicy } from "./snapshot.ts";

const CONTEXT: RepoContext = { repo: REPO, base: "main", config: aConfig() };
const BATCH = batchId("batch");

let hub: ModelHub;
let store: ModelStore;
let deps: Deps;
let started: string[];
beforeEach(() => {
  hub = new ModelHub(new Objects(), "main", { shared: "1" });
  const clock = new ModelClock();
  const turns = new Turns();
  turns.calm = true;
  store = new ModelStore(() => clock.now);
  const shared = { turns, hub, store, clock, random: () => 0, isGreen: () => true };
  const made = createInstance("one", shared);
  started = [];
  const background = { startVerification: () => void started.push("verification") };
  const treeOf = () => Promise.reject(new AppError("git-failed", "bad object"));
  deps = { ...made, background, git: { ...made.git, treeOf } } as unknown as Deps;
});

/** A batch of one whose candidate this host does not have. */
async function applied(kind: "verify" | "land", state: EntryState): Promise<void> {
  const { candidate } = someEvidence();
  const members = { task: aTask({ issue: 1 }).id, pull: 11, batch: BATCH, place: 0, candidate };
  const entry = anEntry({ id: entryId("e"), state, ...members, evidence: someEvidence() });
  const train = newTrain(REPO, "main", deps.clock.now());
  const move = { kind: "entry-moved", entry: entry.id, reason: "because", set: {} } as const;
  const at = deps.clock.now();
  store.record(REPO, [
    { kind: "train-added", train },
    { kind: "task-added", task: aTask({ issue: 1, state: "queued", pull: 11 }) },
    { kind: "entry-added", entry: { ...entry, state: "queued" } },
    { ...move, from: "queued", to: "verifying", at },
    ...(state === "verified" ? [{ ...move, from: "verifying", to: state, at } as const] : []),
  ]);
  const action: TrainAction = { kind, batch: { id: BATCH, entries: [entry], candidate } };
  await withMergeLock(train.id, deps, (lock) =>
    apply(
      [action],
      {
        context: CONTEXT,
        lock,
        policy: aPolicy(),
        train,
        tasks: store.memory().tasks,
        entries: [entry],
        runs: [],
        tip: undefined,
        look: undefined,
      },
      deps,
    ),
  );
}

describe("a candidate that another host built, or whose mirror was made anew", () => {
  it.each([
    { kind: "verify", state: "verifying" },
    { kind: "land", state: "verified" },
  ] as const)("is built again instead of: $kind", async ({ kind, state }) => {
    await applied(kind, state);
    expect(store.memory().entries).toMatchObject([
      { state: "queued", reason: "its candidate is not on this host: it is built anew" },
    ]);
    expect(started).toEqual([]);
  });
});
