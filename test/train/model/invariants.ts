import type { Change } from "../../../src/domain/change.ts";
import { isOpenEntry } from "../../../src/domain/entry.ts";
import type { Entry } from "../../../src/domain/entry.ts";
import type { EntryId, Sha } from "../../../src/domain/ids.ts";
import type { RepoMemory } from "../../../src/ports/store.ts";
import { EVERY_MOVE, EXACT_MOVE, LANDING_ENTRY } from "./base-move-checks.ts";
import { expectAll } from "./check.ts";
import { AT_THE_END } from "./end-checks.ts";
import type { Landed } from "./end-checks.ts";
import type { LeaseNews } from "./model-store.ts";
import { PullTimeline } from "./pull-timeline.ts";
import { MOVED, RECORDED } from "./record-checks.ts";
import type { Moved } from "./record-checks.ts";
import type { WatchedHub, WatchedStore } from "./watched.ts";

type EntryMoved = Extract<Change, { kind: "entry-moved" }>;

interface Watched {
  readonly hub: WatchedHub;
  readonly store: WatchedStore;
  /** GitHub makes the commits that land. */
  readonly byApi: boolean;
  readonly isGreen: (tree: Sha) => boolean;
}

/** What holds at every step, whatever happens. Each is checked where it could break, and says its name when it does. */
export class Invariants {
  readonly #watched: Watched;
  readonly #timeline: PullTimeline;
  readonly #landed: Landed[] = [];
  /** Everything that was about to land, by commit, as it was then. */
  readonly #opened = new Map<Sha, readonly Entry[]>();
  readonly #built = new Set<Sha>();
  readonly #verifiedAt = new Map<EntryId, number>();
  readonly #acquiredAt = new Map<string, number>();
  readonly #renewedAt = new Map<string, number>();
  #standsSince: number | undefined;
  /** Counts whatever happens: what was before what. */
  #now = 0;
  /** Kept as well as thrown: what throws in the middle of the app's work may be caught there. */
  readonly broken: Error[] = [];
  readonly landed: readonly Landed[] = this.#landed;

  constructor(watched: Watched) {
    this.#watched = watched;
    const { hub, store } = watched;
    this.#timeline = new PullTimeline(hub);
    hub.watch = ({ before, after, by }) => {
      if (by === "us") this.#baseMoves(before, after);
    };
    hub.watchDelete = (branch) => this.#branchGoes(branch);
    store.watch = (changes, memory, holder) => this.#recorded(changes, memory, holder);
    store.watchLease = (news) => this.#leaseMoves(news);
  }

  /** After each step. */
  note(): void {
    this.#now += 1;
    this.#timeline.note(this.#now);
  }

  /** Every change has ended, or waits for a person. */
  isAtRest(): boolean {
    const { entries, intents } = this.#watched.store.memory();
    return !entries.some(({ state }) => isOpenEntry(state)) && intents.length === 0;
  }

  checkEnd(): void {
    const [first] = this.broken;
    if (first !== undefined) throw first;
    const { hub, store } = this.#watched;
    const end = { hub, store, landed: this.#landed, built: this.#built };
    expectAll(AT_THE_END, end, this.#expect);
  }

  /**
   * GitHub knows nothing of leases: a process that lost its own between the intent and the call still makes that call.
   * What it may do then is what was proven and written down before, and only from the base that it was proven for.
   */
  #baseMoves(before: Sha, after: Sha): void {
    const { byApi, hub, isGreen } = this.#watched;
    const landing = byApi ? this.#openedFor(after) : (this.#opened.get(after) ?? []);
    const candidate = landing[0]?.candidate;
    const move = { before, after, landing, candidate, objects: hub.objects, isGreen };
    expectAll(EVERY_MOVE, move, this.#expect);
    if (!byApi) expectAll(EXACT_MOVE, move, this.#expect);
    for (const entry of landing) this.#lands(entry, byApi ? after : commitFor(entry, after));
  }

  #openedFor(mergedAs: Sha): readonly Entry[] {
    const pulls = [...this.#watched.hub.pulls.values()];
    const pull = pulls.find((one) => one.mergedAs === mergedAs);
    const all = [...this.#opened.values()].flat();
    return all.filter((entry) => entry.pull === pull?.number).slice(-1);
  }

  #lands(entry: Entry, commit: Sha): void {
    const { hub } = this.#watched;
    const again = this.#landed.some(
      (one) => one.head === entry.head && hub.objects.isAncestor(one.commit, hub.tip),
    );
    const pull = hub.pulls.get(entry.pull ?? 0);
    expectAll(LANDING_ENTRY, { entry, pull, again }, this.#expect);
    this.#landed.push({ head: entry.head, commit });
  }

  #branchGoes(branch: string): void {
    const { hub } = this.#watched;
    const onto = hub.openPullsOnto(branch);
    this.#expect("I16: no branch goes that a pull request wants to go to", onto.length === 0);
    const pulls = [...hub.pulls.values()];
    const open = pulls.some((pull) => pull.branch === branch && pull.state === "open");
    this.#expect("I16: no branch of an open pull request goes", !open);
  }

  #leaseMoves({ kind, holder }: LeaseNews): void {
    this.#now += 1;
    if (kind === "acquired") this.#acquiredAt.set(holder, this.#now);
    if (kind === "renewed") this.#renewedAt.set(holder, this.#now);
  }

  #recorded(changes: readonly Change[], memory: RepoMemory, holder: string | undefined): void {
    this.#now += 1;
    expectAll(RECORDED, memory, this.#expect);
    const landing = memory.entries.filter(({ state }) => state === "landing");
    const commit = landing[0]?.candidate?.commit;
    if (commit !== undefined) this.#opened.set(commit, landing);
    for (const change of changes) {
      if (change.kind === "train-moved") this.#trainMoved(change);
      if (change.kind === "entry-moved") this.#entryMoved(change, memory, holder ?? "");
    }
  }

  #entryMoved({ entry: id, from, to, set }: EntryMoved, memory: RepoMemory, holder: string): void {
    for (const step of set.candidate?.steps ?? []) this.#built.add(step.commit);
    const entry = memory.entries.find((one) => one.id === id);
    if (entry === undefined || from === to) return;
    expectAll(MOVED[to] ?? [], this.#movedFrom(entry, memory, holder), this.#expect);
    if (to === "verified") this.#verifiedAt.set(id, this.#now);
  }

  #movedFrom(entry: Entry, memory: RepoMemory, holder: string): Moved {
    const { hub, isGreen } = this.#watched;
    const lastLook = this.#renewedAt.get(holder) ?? 0;
    const verified = this.#verifiedAt.get(entry.id) ?? 0;
    return {
      entry,
      memory,
      objects: hub.objects,
      isGreen,
      paused: this.#watched.store.pauseOf() !== undefined,
      stood: (this.#standsSince ?? Infinity) < (this.#acquiredAt.get(holder) ?? 0),
      looked: this.#timeline.wasAsPinned(entry, lastLook),
      readAgain: this.#timeline.wasApproved(entry, verified),
    };
  }

  #trainMoved({ from, to, reason }: Extract<Change, { kind: "train-moved" }>): void {
    const [before] = this.#watched.store.before.trains;
    const needsSomeone = before?.cause === "integrity-breach" || before?.cause === "permission";
    const ends = from === "halted" && to === "running" && needsSomeone;
    this.#expect("P13: who looked ends such a halt", !ends || reason.startsWith("resumed by"));
    if (to === "running") this.#standsSince = undefined;
    else this.#standsSince ??= this.#now;
  }

  readonly #expect = (name: string, holds: boolean): void => {
    if (holds) return;
    const broken = new Error(`broken invariant ${name}`);
    this.broken.push(broken);
    throw broken;
  };
}

function commitFor(entry: Entry, otherwise: Sha): Sha {
  return entry.candidate?.steps.find((step) => step.entry === entry.id)?.commit ?? otherwise;
}
