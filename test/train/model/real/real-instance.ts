import type { RequestFacts } from "../../../../local-github/wire/faults.ts";
import { BackgroundWork } from "../../../../src/app/background-work.ts";
import type { Sha } from "../../../../src/domain/ids.ts";
import type { Deps } from "../../../../src/ports/deps.ts";
import type { GitHub } from "../../../../src/ports/github.ts";
import { AppError } from "../../../../src/shared/app-error.ts";
import { createKeyedQueue } from "../../../../src/shared/keyed-queue.ts";
import { OPERATOR, SILENT } from "../instance.ts";
import type { ModelClock } from "../model-clock.ts";
import { ignore, roomsOf } from "../rooms.ts";
import type { Fate, Turns } from "../turns.ts";
import type { InFlight } from "./in-flight.ts";
import type { RealHub } from "./real-hub.ts";
import type { RealStore } from "./real-store.ts";

export interface RealShared {
  readonly turns: Turns;
  readonly inFlight: InFlight;
  readonly hub: RealHub;
  readonly store: RealStore;
  readonly clock: ModelClock;
  readonly random: () => number;
  readonly isGreen: (tree: Sha) => boolean | Promise<boolean>;
}

type Method = (...args: readonly unknown[]) => unknown;
type Ports = Pick<Deps, "git" | "github">;

/** Calls that anyone else could see, or come between: each waits for its turn. */
const IN_TURN: ReadonlySet<string> = new Set([
  "fetchBranch",
  "fetchBranches",
  "fetchCommit",
  "remoteBranch",
  "pullHeads",
  "stageCommit",
  "unstage",
  "deleteBranch",
  "pullState",
  "openPullsOnto",
  "refreshPulls",
  "updateRefs",
  "mergePullRequest",
  "issueStates",
  "closeIssue",
  "record",
  "readRepo",
  "pauseOf",
  "acquireLease",
  "renewLease",
]);
const WRITES: ReadonlySet<string> = new Set(["updateRefs", "mergePullRequest", "closeIssue"]);
const PUSHES: ReadonlySet<string> = new Set(["stageCommit", "unstage", "deleteBranch"]);

/** One process of the app on the real adapters, except for what it verifies in: that is a look at the tree. */
export function createRealInstance(who: string, ports: Ports, shared: RealShared): Deps {
  const { store, clock, random } = shared;
  const call = new Caller(who, shared);
  const activities: BackgroundWork = new BackgroundWork(() => deps);
  const { workspaces, ...rooms } = roomsOf({
    call: (_, effect) => shared.inFlight.track(effect),
    random,
    treeOf: (commit) => shared.hub.objects.commitOf(commit).tree,
    isGreen: (tree) => call.inTurn("verify", async () => shared.isGreen(tree)),
  });
  const deps = {
    log: SILENT,
    operator: OPERATOR,
    botLogin: "app",
    holder: who,
    wake: ignore,
    ...rooms,
    publishing: createKeyedQueue(),
    git: {
      ...call.through(ports.git, (name, args, effect) => call.byGit(name, args, effect)),
      ...workspaces,
    },
    github: call.through(ports.github, (name, args, effect) => call.byHttp(name, args, effect)),
    store: call.through(store.store, (name, _, effect) => call.inTurn(name, effect)),
    clock: { now: () => clock.now, after: (_: number, fire: () => void) => clock.after(fire) },
    background: activities,
  } as unknown as Deps;
  return deps;
}

type Effect = () => Promise<unknown>;
type InTurn = (name: string, args: readonly unknown[], effect: Effect) => Promise<unknown>;

class Caller {
  readonly #who: string;
  readonly #shared: RealShared;

  constructor(who: string, shared: RealShared) {
    this.#who = who;
    this.#shared = shared;
  }

  /** The port with each of its methods in turn, or at least waited for. */
  through<T extends object>(port: T, inTurn: InTurn): T {
    const methods = Object.entries(port).map(([name, method]) => {
      const invoke = (...args: readonly unknown[]): unknown => {
        const effect = () => Promise.resolve((method as Method)(...args));
        if (IN_TURN.has(name)) return inTurn(name, args, effect);
        return this.#shared.inFlight.track(effect);
      };
      return [name, invoke] as const;
    });
    return Object.fromEntries(methods) as T;
  }

  async inTurn<T>(what: string, effect: () => Promise<T>): Promise<T> {
    const fate = await this.#shared.turns.wait(this.#who, what);
    return this.#shared.inFlight.track(() => failing(what, fate, effect));
  }

  /** Git that gets no answer: before or after what it did. */
  async byGit(name: string, args: readonly unknown[], effect: Effect): Promise<unknown> {
    const { hub } = this.#shared;
    return this.inTurn(name, async () => {
      if (name === "deleteBranch") hub.watchDelete(String(args[1]));
      const result = await effect();
      // Over HTTP GitHub sees each push itself; on its own disk it has to be told.
      if (PUSHES.has(name)) await hub.github.refresh(hub.repository);
      return result;
    });
  }

  /** GitHub answers 502 before, or 500 after what it did; what the adapter makes of that is its own. */
  async byHttp(name: string, args: readonly unknown[], effect: Effect): Promise<unknown> {
    const { turns, inFlight, hub } = this.#shared;
    const fate = await turns.wait(this.#who, name);
    return inFlight.track(async () => {
      this.#noteLate(name, args);
      const { faults } = hub.github;
      const matches = (request: RequestFacts) => isWrite(request) === WRITES.has(name);
      if (fate === "fails-before") faults.answer({ matches, status: 502, message: "Bad Gateway" });
      if (fate === "fails-after") {
        faults.answer({ matches, status: 500, message: "Server Error", when: "after" });
      }
      try {
        return await effect();
      } finally {
        faults.clear();
        hub.follow("us");
      }
    });
  }

  /** Where a process puts a branch whose lease ended between its last look and its call. */
  #noteLate(name: string, args: readonly unknown[]): void {
    const { store, hub } = this.#shared;
    if (name !== "updateRefs" || store.isHolder(this.#who)) return;
    const { updates } = args[1] as Parameters<GitHub["updateRefs"]>[1];
    for (const { after } of updates) hub.movedLate.add(after);
  }
}

function isWrite({ method, route, body }: RequestFacts): boolean {
  if (route !== "/graphql") return method !== "GET";
  return /"query":"\s*(?:\\n)?\s*mutation/.test(JSON.stringify(body));
}

async function failing<T>(what: string, fate: Fate, effect: () => Promise<T>): Promise<T> {
  const lost = new AppError("github-unavailable", `${what} got no answer`, { retryable: true });
  if (fate === "fails-before") throw lost;
  const result = await effect();
  if (fate === "fails-after") throw lost;
  return result;
}
