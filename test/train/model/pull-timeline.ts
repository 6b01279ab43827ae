import type { Entry } from "../../../src/domain/entry.ts";
import type { ModelPull } from "./model-hub.ts";
import type { WatchedHub } from "./watched.ts";

type Facts = Pick<ModelPull, "state" | "head" | "draft" | "approvedHead" | "base">;

interface Noted extends Facts {
  readonly at: number;
}

/** What every pull request was like, and since when: a look at one is right when it was so at some moment of the look. */
export class PullTimeline {
  readonly #noted = new Map<number, Noted[]>();
  readonly #hub: WatchedHub;

  constructor(hub: WatchedHub) {
    this.#hub = hub;
  }

  note(at: number): void {
    for (const [number, pull] of this.#hub.pulls) {
      const line = this.#noted.get(number) ?? [];
      const last = line.at(-1);
      if (last === undefined || !isSame(last, pull)) line.push({ ...factsOf(pull), at });
      this.#noted.set(number, line);
    }
  }

  /** Whether it could be seen as it was pinned, at some moment since then. */
  wasAsPinned({ pull: number, head }: Entry, since: number): boolean {
    return this.#since(number, since).some((facts) => isOpenAt(facts, head, this.#hub.base));
  }

  /** The same, and approved. */
  wasApproved({ pull: number, head }: Entry, since: number): boolean {
    return this.#since(number, since).some(
      (facts) => isOpenAt(facts, head, this.#hub.base) && facts.approvedHead === head,
    );
  }

  #since(number: number | undefined, since: number): readonly Facts[] {
    const line = this.#noted.get(number ?? 0) ?? [];
    const before = line.findLast(({ at }) => at < since);
    const now = this.#hub.pulls.get(number ?? 0);
    const after = line.filter(({ at }) => at >= since);
    return [...(before ? [before] : []), ...after, ...(now ? [now] : [])];
  }
}

function factsOf({ state, head, draft, approvedHead, base }: ModelPull): Facts {
  return { state, head, draft, approvedHead, base };
}

function isSame(a: Facts, b: Facts): boolean {
  return (
    a.state === b.state &&
    a.head === b.head &&
    a.draft === b.draft &&
    a.approvedHead === b.approvedHead &&
    a.base === b.base
  );
}

function isOpenAt(facts: Facts, head: string, base: string): boolean {
  return facts.state === "open" && facts.head === head && !facts.draft && facts.base === base;
}
