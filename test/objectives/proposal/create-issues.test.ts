import { describe, expect, it } from "vitest";
import { repoName } from "../../../src/domain/ids.ts";
import { createIssues } from "../../../src/objectives/proposal/create-issues.ts";
import type {
  Journal,
  OrderProgress,
  IssueOrder,
} from "../../../src/objectives/proposal/create-issues.ts";
import type { IssueWriter, MadeIssue } from "../../../src/ports/issue-writer.ts";

const REPO = repoName("acme/shop");
const order = (alias: string, more: Partial<IssueOrder> = {}): IssueOrder => ({
  alias,
  title: alias,
  body: "",
  labels: [],
  parent: 1,
  dependsOn: [],
  ...more,
});
const ORDERS = [order("a"), order("b", { dependsOn: ["a"] }), order("c", { parent: "b" })];

class Killed extends Error {}

/** A GitHub in memory that dies at one moment: before a write, or after it and before its answer. */
class Hub {
  readonly opened: string[] = [];
  readonly relations: string[] = [];
  readonly journal = new Map<string, OrderProgress>();
  readonly #dieAt: number;
  #moment = 0;

  constructor(dieAt: number) {
    this.#dieAt = dieAt;
  }

  get moments(): number {
    return this.#moment;
  }

  async #write<T>(effect: () => T): Promise<T> {
    this.#mayDie();
    const result = effect();
    this.#mayDie();
    return Promise.resolve(result);
  }

  #mayDie(): void {
    this.#moment += 1;
    if (this.#moment === this.#dieAt) throw new Killed();
  }

  #relate(relation: string): void {
    // Harmless when it is there, as the port promises.
    if (!this.relations.includes(relation)) this.relations.push(relation);
  }

  #issue(alias: string): MadeIssue {
    const number = 10 + this.opened.indexOf(alias);
    return { number, id: number * 100, nodeId: `I_${number}` };
  }

  get writer(): IssueWriter {
    return {
      findMade: () =>
        Promise.resolve(new Map(this.opened.map((alias) => [alias, this.#issue(alias)]))),
      createIssue: (_repo, { title }) =>
        this.#write(() => {
          this.opened.push(title);
          return this.#issue(title);
        }),
      addSubIssue: (_repo, parent, { number }) =>
        this.#write(() => this.#relate(`${number} in ${parent}`)),
      blockersOf: (_repo, issue) =>
        Promise.resolve(
          this.relations.flatMap((relation) => {
            const [, blocked, by] = /^(\d+) after (\d+)$/.exec(relation) ?? [];
            return Number(blocked) === issue ? [Number(by)] : [];
          }),
        ),
      addBlocker: (_repo, issue, { number }) =>
        this.#write(() => this.#relate(`${issue} after ${number}`)),
      addCards: () => Promise.resolve(),
    };
  }

  get memory(): Journal {
    return {
      read: (alias) => Promise.resolve(this.journal.get(alias)),
      write: (alias, progress) =>
        this.#write(() => {
          this.journal.set(alias, progress);
        }),
    };
  }

  run(most = Infinity): ReturnType<typeof createIssues> {
    const { writer, memory: journal } = this;
    return createIssues(ORDERS, { repo: REPO, writer, journal, since: undefined, most });
  }
}

const RELATIONS = ["10 in 1", "11 after 10", "11 in 1", "12 in 11"];

describe("createIssues", () => {
  it("opens every issue and relates it", async () => {
    const hub = new Hub(0);
    const made = await hub.run();
    expect([...(made?.keys() ?? [])]).toEqual(["a", "b", "c"]);
    expect(hub.opened).toEqual(["a", "b", "c"]);
    expect(hub.relations.toSorted()).toEqual(RELATIONS);
  });

  it("makes nothing twice, wherever it is killed", async () => {
    const whole = new Hub(0);
    await whole.run();
    expect(whole.moments).toBeGreaterThan(20);
    for (let moment = 1; moment <= whole.moments; moment += 1) {
      const hub = new Hub(moment);
      await expect(hub.run()).rejects.toThrow(Killed);
      await hub.run();
      expect({ moment, opened: hub.opened }).toEqual({ moment, opened: ["a", "b", "c"] });
      expect(hub.relations.toSorted()).toEqual(RELATIONS);
    }
  });

  it("does a few steps at a time when told so, and the same in the end", async () => {
    const hub = new Hub(0);
    let passes = 1;
    while ((await hub.run(2)) === undefined) passes += 1;
    expect(passes).toBe(3);
    expect(hub.opened).toEqual(["a", "b", "c"]);
    expect(hub.relations.toSorted()).toEqual(RELATIONS);
  });
});
