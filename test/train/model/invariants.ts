import { isDeepStrictEqual } from "node:util";
import { replay } from "../../../src/adapters/store/replay.ts";
import type { Change } from "../../../src/domain/change.ts";
import { isOpenEntry } from "../../../src/domain/entry.ts";
import type { Entry } from "../../../src/domain/entry.ts";
import type { Sha, TaskId } from "../../../src/domain/ids.ts";
import { isTerminal } from "../../../src/domain/task.ts";
import type { RepoMemory } from "../../../src/ports/store.ts";
import type { ModelWorld } from "./model-world.ts";
import { isPaths } from "./objects.ts";

interface Landed {
  readonly head: Sha;
  readonly commit: Sha;
  readonly task: TaskId;
}

/** What holds at every step, whatever happens. Each is checked where it could break, and says its name when it does. */
export class Invariants {
  readonly #world: ModelWorld;
  readonly #isGreen: (tree: Sha) => boolean;
  readonly #tickStart = new Map<string, number>();
  readonly #landed: Landed[] = [];
  /** Everything that was about to land, by commit, as it was then. */
  readonly #opened = new Map<Sha, readonly Entry[]>();
  /** Every commit that would have landed something. */
  readonly #built = new Set<Sha>();
  readonly landed: readonly Landed[];

  constructor(world: ModelWorld, isGreen: (tree: Sha) => boolean) {
    this.#world = world;
    this.#isGreen = isGreen;
    this.landed = this.#landed;
    world.hub.watch = ({ before, after, by }) => {
      if (by === "us") this.#baseMoves(before, after);
    };
    world.hub.watchDelete = (branch) => this.#branchGoes(branch);
    world.store.watch = (changes, memory) => this.#recorded(changes, memory);
  }

  tickStarts(process: string, step: number): void {
    this.#tickStart.set(process, step);
  }

  /**
   * GitHub knows nothing of leases: a process that lost its own between the intent and the call still makes that call.
   * What it may do then is what was proven and written down before, and only from the base that it was proven for.
   */
  #baseMoves(before: Sha, after: Sha): void {
    const { objects } = this.#world;
    const byApi = this.#world.scenario.landing === "merge-api";
    const landing = byApi ? this.#openedFor(after) : (this.#opened.get(after) ?? []);
    const candidate = landing[0]?.candidate;
    this.#expect("I1: what moves the base is landing", candidate !== undefined);
    const whole = byApi || candidate?.steps.length === landing.length;
    this.#expect("I3: nothing comes along that is not landing itself", whole);
    const green = landing.every(({ evidence }) => evidence?.verdict === "green");
    this.#expect("I8: no landing without evidence", green);
    if (byApi) {
      this.#note(landing, () => after);
      return;
    }
    this.#expect("I1: only from the base that it was verified on", candidate?.base === before);
    this.#expect("I1: only to the commit that was verified", candidate?.commit === after);
    this.#expect("I1: only forward", objects.isAncestor(before, after));
    const tree = objects.commitOf(after).tree;
    this.#expect(
      "I2: the landed tree is the verified tree",
      landing[0]?.evidence?.candidate.tree === tree,
    );
    this.#expect("I8: a red tree never lands", this.#isGreen(tree));
    this.#note(landing, (entry) => stepOf(entry)?.commit ?? after);
    this.#identity(before, landing);
  }

  #openedFor(mergedAs: Sha): readonly Entry[] {
    const pull = [...this.#world.hub.pulls.values()].find((one) => one.mergedAs === mergedAs);
    const all = [...this.#opened.values()].flat();
    return all.filter((entry) => entry.pull === pull?.number).slice(-1);
  }

  #note(landing: readonly Entry[], commitOf: (entry: Entry) => Sha): void {
    for (const entry of landing) {
      const pull = this.#world.hub.pulls.get(entry.pull ?? 0);
      this.#expect("I3: only an approved head lands", pull?.approvals.has(entry.head) === true);
      const started = Math.min(...this.#tickStart.values());
      const since = pull?.unwantedSince ?? Infinity;
      const current = pull?.head === entry.head || pull?.head === stepOf(entry)?.commit;
      this.#expect(
        "I9: what was withdrawn before does not land",
        since >= started || (current && pull?.state !== "closed"),
      );
      const again = this.#landed.some(
        ({ head, commit }) => head === entry.head && this.#isOnBase(commit),
      );
      this.#expect("I5: nothing lands twice", !again);
      this.#landed.push({ head: entry.head, commit: commitOf(entry), task: entry.task });
    }
  }

  /** Each step is the one before plus its change, and nothing else. */
  #identity(before: Sha, landing: readonly Entry[]): void {
    const { objects } = this.#world;
    let onto = before;
    for (const step of landing[0]?.candidate?.steps ?? []) {
      const merged = objects.merge(onto, step.head);
      const files = objects.files(objects.commitOf(step.commit).tree);
      this.#expect(
        "I6: a landing is its parent plus the change",
        !isPaths(merged) && isDeepStrictEqual(merged, files),
      );
      onto = step.commit;
    }
  }

  #isOnBase(commit: Sha): boolean {
    const { objects, hub } = this.#world;
    return objects.isAncestor(commit, hub.tip);
  }

  #branchGoes(branch: string): void {
    const { hub } = this.#world;
    this.#expect(
      "I16: no branch goes that a pull request wants to go to",
      hub.openPullsOnto(branch).length === 0,
    );
    const open = [...hub.pulls.values()].some(
      (pull) => pull.branch === branch && pull.state === "open",
    );
    this.#expect("I16: no branch of an open pull request goes", !open);
  }

  #recorded(changes: readonly Change[], memory: RepoMemory): void {
    const landing = memory.entries.filter(({ state }) => state === "landing");
    this.#expect(
      "I4: one batch lands at a time",
      new Set(landing.map(({ batch }) => batch)).size <= 1,
    );
    const [first] = landing;
    if (first?.candidate !== undefined) this.#opened.set(first.candidate.commit, landing);
    for (const change of changes) {
      if (change.kind !== "entry-moved") continue;
      for (const step of change.set.candidate?.steps ?? []) this.#built.add(step.commit);
      const entry = memory.entries.find(({ id }) => id === change.entry);
      if (entry === undefined) continue;
      if (change.to === "landing") {
        this.#expect(
          "I11: nothing lands while paused or halted",
          memory.trains[0]?.state === "running",
        );
      }
      if (change.to === "rejected") this.#rejected(entry);
      if (change.to === "landed") this.#inOrder(entry, memory);
    }
  }

  /** Nobody is blamed but who fails alone on a base that is green. */
  #rejected({ evidence }: Entry): void {
    if (evidence?.verdict !== "red") return;
    const { objects } = this.#world;
    const { candidate } = evidence;
    this.#expect("P7: blamed alone", candidate.steps.length === 1);
    this.#expect("P7: blamed for a tree that is red", !this.#isGreen(candidate.tree));
    const base = objects.commitOf(candidate.base).tree;
    this.#expect("P7: blamed on a base that is green", this.#isGreen(base));
  }

  #inOrder(entry: Entry, memory: RepoMemory): void {
    const task = memory.tasks.find(({ id }) => id === entry.task);
    const waits = memory.entries.filter(
      (other) =>
        task?.spec.dependsOn.includes(other.task) === true &&
        isOpenEntry(other.state) &&
        other.enqueuedAt <= entry.enqueuedAt,
    );
    this.#expect("I7: what it depends on is not behind it", waits.length === 0);
  }

  /** Kept as well as thrown: what throws in the middle of the app's work may be caught there. */
  #expect(name: string, holds: boolean): void {
    if (holds) return;
    const broken = new Error(`broken invariant ${name}`);
    this.#world.bugs.push(broken);
    throw broken;
  }

  /** Every change has ended, or waits for a person. */
  isAtRest(): boolean {
    const { entries, intents } = this.#world.store.memory();
    return !entries.some(({ state }) => isOpenEntry(state)) && intents.length === 0;
  }

  checkEnd(): void {
    const { store, hub, objects } = this.#world;
    const memory = store.memory();
    const rebuilt = replay(store.events);
    this.#expect(
      "I14: the events rebuild the state",
      isDeepStrictEqual({ ...rebuilt, fence: 0 }, memory),
    );
    for (const { commit, head } of this.#landed) {
      const times = this.#landed.filter((one) => one.head === head && this.#isOnBase(one.commit));
      this.#expect("I5: nothing lands twice", times.length <= 1 || commit === times[0]?.commit);
    }
    const open = memory.entries.filter(({ state }) => isOpenEntry(state));
    const train = memory.trains[0];
    this.#expect(
      `I12: all came to an end (${describe(open)}; ${train?.reason ?? ""})`,
      open.length === 0,
    );
    for (const pull of hub.pulls.values()) {
      const misled =
        pull.state === "open" && this.#built.has(pull.head) && !hub.movedLate.has(pull.head);
      this.#expect("no open pull request is left at a commit of ours", !misled);
    }
    for (const task of memory.tasks) {
      const pull = hub.pulls.get(task.pull ?? 0);
      const approved = pull?.state === "open" && pull.approvedHead === pull.head && !pull.draft;
      const done = isTerminal(task.state) || task.state === "waiting" || task.state === "review";
      this.#expect(`I12: ${task.id} is ${task.state}`, done || !approved);
      if (task.state !== "landed" || task.landedSha === undefined) continue;
      this.#expect("landed means a commit that exists", objects.has(task.landedSha));
    }
  }
}

function stepOf(entry: Entry) {
  return entry.candidate?.steps.find((step) => step.entry === entry.id);
}

function describe(entries: readonly Entry[]): string {
  return entries.map(({ id, state, reason }) => `${id} ${state}: ${reason}`).join("; ");
}
