import { describe, expect, it } from "vitest";
import { replay } from "../../../src/adapters/store/events/replay.ts";
import { brokenLink } from "../../../src/adapters/store/rows/event-row.ts";
import type { Change } from "../../../src/domain/change.ts";
import { repoName, runId, taskIdOf } from "../../../src/domain/ids.ts";
import type { RepoRenamed } from "../../../src/domain/change.ts";
import { newTrain, trainIdOf } from "../../../src/domain/train.ts";
import { digest } from "../../../src/shared/digest.ts";
import { HOUR_MS, NOW, OTHER_REPO, REPO, SUCCEEDED } from "../../support/builders.ts";
import * as given from "../../support/builders.ts";
import { TASK, added, later } from "./changes.ts";
import type { UnderTest } from "./contract-claims.ts";
import { sortedMemory } from "./sorted-memory.ts";

const FRESH = repoName("octo/tool");
/** Its name begins with the other's: nothing of it may move along. */
const LONGER = repoName("octo/app-store");
const renamed: RepoRenamed = { kind: "repo-renamed", id: 7, from: REPO, to: FRESH, at: later(20) };

const spec = given.aSpec({ dependsOn: [TASK, taskIdOf(OTHER_REPO, 1)], parent: TASK });
const second = given.aTask({ issue: 2, spec, specHash: digest(spec) });
const run = given.aRun({ id: runId("octo.app.2.1"), task: second.id, specHash: digest(spec) });

/** A bit of everything that a repository can have. */
const HISTORY: readonly Change[] = [
  added(given.aTask()),
  added(second),
  { kind: "run-queued", run },
  {
    kind: "task-moved",
    task: second.id,
    from: "waiting",
    to: "running",
    reason: "starts",
    at: later(1),
    set: {},
  },
  { kind: "claims-taken", hold: given.aHold({ task: second.id, run: run.id, fence: 1 }) },
  { kind: "entry-added", entry: given.anEntry({ task: TASK }) },
  { kind: "train-added", train: newTrain(REPO, "main", NOW) },
  { kind: "verdict-given", verdict: given.aVerdict() },
  {
    kind: "intent-opened",
    intent: given.anIntent({ key: `decompose:${TASK}`, kind: "decompose", subject: TASK }),
  },
];

export function describeNames(use: UnderTest): void {
  const record = (...changes: readonly Change[]) => use.store().record(REPO, changes);

  describe("names of repositories", () => {
    it("are noted once, and changed only by a renaming", async () => {
      const store = use.store();
      await store.nameRepo({ id: 7, repo: REPO });
      await store.nameRepo({ id: 7, repo: OTHER_REPO });
      await store.nameRepo({ id: 8, repo: REPO });
      expect(await store.repoNames()).toEqual([{ id: 7, repo: REPO, until: undefined }]);
      await record(renamed);
      await store.nameRepo({ id: 8, repo: REPO });
      const names = new Set((await store.repoNames()).map((one) => Object.values(one).join(" ")));
      expect(names).toEqual(new Set([`7 ${REPO} ${later(20)}`, `7 ${FRESH} `, `8 ${REPO} `]));
    });

    it("are not changed twice, nor to one that another repository has", async () => {
      const store = use.store();
      const conflict = { code: "store-conflict" };
      await expect(record(renamed)).rejects.toMatchObject(conflict);
      await store.nameRepo({ id: 7, repo: REPO });
      await store.nameRepo({ id: 8, repo: FRESH });
      await expect(record(renamed)).rejects.toMatchObject(conflict);
      const other = repoName("octo/else");
      await record({ ...renamed, to: other });
      await expect(record({ ...renamed, to: other })).rejects.toMatchObject(conflict);
      expect(await store.events(0, 10)).toHaveLength(1);
    });

    it("take everything along, and leave other repositories alone", async () => {
      const store = use.store();
      await store.nameRepo({ id: 7, repo: REPO });
      await record(...HISTORY);
      await store.record(LONGER, [added(given.aTask({ repo: LONGER, issue: 1 }))]);
      const before = await store.readRepo(REPO);
      await record(renamed);
      expect(await store.readRepo(REPO)).toEqual(given.aMemory());
      const now = await store.readRepo(FRESH);
      const text = JSON.stringify(before).replaceAll("octo/app", "octo/tool");
      expect(withoutHashes(JSON.stringify(now))).toBe(withoutHashes(text));
      const moved = now.tasks.find(({ issue }) => issue === 2);
      expect(moved?.specHash).toBe(digest(moved?.spec));
      expect(now.runs[0]?.specHash).toBe(moved?.specHash);
      expect(now.runs[0]?.id).toBe("octo.app.2.1");
      expect((await store.readRepo(LONGER)).tasks).toHaveLength(1);
      expect(await store.verdicts(FRESH, given.aVerdict().tree, "hash")).toHaveLength(1);
    });

    it("are followed by the replay, and the chain of events holds", async () => {
      const store = use.store();
      await store.nameRepo({ id: 7, repo: REPO });
      await record(...HISTORY, renamed);
      const paused = { state: "paused", train: trainIdOf(FRESH, "main") } as const;
      await store.record(FRESH, [
        { kind: "run-finished", run: run.id, outcome: SUCCEEDED, at: later(30) },
        {
          kind: "train-moved",
          train: paused.train,
          from: "running",
          to: "paused",
          reason: "wait",
          at: later(31),
          set: {},
        },
      ]);
      const events = await store.events(0, 100);
      expect(brokenLink(events)).toBeUndefined();
      expect(sortedMemory(replay(events))).toEqual(sortedMemory(await store.readRepo(FRESH)));
    });

    it("take what was published along, and signals that nobody has seen", async () => {
      const store = use.store();
      await store.nameRepo({ id: 7, repo: REPO });
      const keys = [`comment:${TASK}`, `config:${REPO}`, `check:${REPO}@abc`, `issue:${REPO}:x`];
      const others = [`comment:${LONGER}#1`, `comment:${OTHER_REPO}#1`, "deliveries:seen"];
      for (const key of [...keys, ...others])
        await store.savePublication({ key, remoteId: "1", digest: "d" });
      await store.addSignal(given.aSignal({ deliveryId: "seen", repo: REPO }));
      await store.markSeen(["seen"], NOW);
      await store.addSignal(given.aSignal({ deliveryId: "new", repo: REPO }));
      await record(renamed);
      const moved = keys.map((key) => key.replace(REPO, FRESH));
      expect([...(await store.publications([...keys, ...moved, ...others])).keys()].sort()).toEqual(
        [...moved, ...others].sort(),
      );
      expect(await store.unseenSignals()).toMatchObject([{ deliveryId: "new", repo: FRESH }]);
    });

    it("of before take nothing more, until another repository has them", async () => {
      const store = use.store();
      await store.nameRepo({ id: 7, repo: REPO });
      await record(renamed);
      await expect(record(added(given.aTask()))).rejects.toMatchObject({ code: "store-conflict" });
      await store.nameRepo({ id: 8, repo: REPO });
      await record(added(given.aTask()));
      expect((await store.readRepo(FRESH)).tasks).toEqual([]);
    });

    it("leave a task that was folded, or is folded later, as it is", async () => {
      const store = use.store();
      await store.nameRepo({ id: 7, repo: REPO });
      const cancelled: Change = {
        kind: "task-moved",
        task: TASK,
        from: "waiting",
        to: "cancelled",
        reason: "not wanted",
        at: later(5),
        set: {},
      };
      await record(added(given.aTask()), cancelled, renamed);
      use.at(later(HOUR_MS));
      expect(await store.compact(later(HOUR_MS))).toEqual({ tasks: 1, events: 2 });
      const events = await store.events(0, 100);
      expect(brokenLink(events)).toBeUndefined();
      expect(replay(events)).toMatchObject({ tasks: [{ repo: FRESH, state: "cancelled" }] });
    });
  });
}

function withoutHashes(text: string): string {
  return text.replaceAll(/"specHash":"[0-9a-f]+"/g, "");
}
