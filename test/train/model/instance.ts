import { BackgroundWork } from "../../../src/app/background-work.ts";
import { operatorConfigSchema } from "../../../src/config/schema/operator-config.ts";
import type { Sha } from "../../../src/domain/ids.ts";
import type { Deps } from "../../../src/ports/deps.ts";
import type { MergeOutcome, RefsOutcome } from "../../../src/ports/github.ts";
import { AppError } from "../../../src/shared/app-error.ts";
import { createKeyedQueue } from "../../../src/shared/keyed-queue.ts";
import type { ModelClock } from "./model-clock.ts";
import type { ModelHub } from "./model-hub.ts";
import type { ModelStore } from "./model-store.ts";
import { ignore, roomsOf } from "./rooms.ts";
import type { Call } from "./rooms.ts";
import type { Fate, Turns } from "./turns.ts";

export interface Shared {
  readonly turns: Turns;
  readonly hub: ModelHub;
  readonly store: ModelStore;
  readonly clock: ModelClock;
  readonly random: () => number;
  /** Whether a tree is green; a promise where verifying takes its time. */
  readonly isGreen: (tree: Sha) => boolean | Promise<boolean>;
  /** Calls that no one else could see, or come between, wait for their turn too: where each is a moment to die at. */
  readonly everyCall?: boolean;
}

export const OPERATOR = operatorConfigSchema.parse({
  runners: { agent: { command: "agent" } },
  retry: { backoff: 1000, maxBackoff: 5000 },
});

const UNKNOWN = { kind: "unknown", reason: "no answer" } as const;
export const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** One process of the app: its every call of the world waits for its turn under its name. */
export function createInstance(who: string, shared: Shared): Deps {
  const { hub, store, clock, random } = shared;
  const call = caller(who, shared);
  const now = shared.everyCall === true ? call : quietly;
  const activities: BackgroundWork = new BackgroundWork(() => deps);
  const objects = hub.objects;
  const { workspaces, ...rooms } = roomsOf({
    call: now,
    random,
    treeOf: (commit) => objects.commitOf(commit).tree,
    isGreen: (tree) => call("verify", () => shared.isGreen(tree)),
  });
  const git = {
    fetchBranch: (_: unknown, branch: string) => call("fetch", () => known(hub.refs.get(branch))),
    fetchBranches: (_: unknown, branches: readonly string[]) =>
      call("fetch", () => new Map(branches.map((one) => [one, known(hub.refs.get(one))]))),
    remoteBranch: (_: unknown, branch: string) => call("ls-remote", () => hub.refs.get(branch)),
    pullHeads: (_: unknown, pulls: readonly number[]) =>
      call("look at heads", () => new Map(pulls.map((one) => [one, hub.pulls.get(one)?.head]))),
    treeOf: (_: unknown, commit: Sha) => now("tree of", () => objects.commitOf(commit).tree),
    parentsOf: (_: unknown, commit: Sha) =>
      now("parents of", () => objects.commitOf(commit).parents),
    isAncestor: (_: unknown, a: Sha, b: Sha) => now("is ancestor", () => objects.isAncestor(a, b)),
    buildCandidate: (request: Parameters<Deps["git"]["buildCandidate"]>[0]) =>
      now("build", () => objects.build(request)),
    stageCommit: () => call("push", () => ({ kind: "pushed" })),
    unstage: () => call("unstage", ignore),
    deleteBranch: (_: unknown, branch: string) => call("delete", () => hub.deleteBranch(branch)),
    ...workspaces,
  };
  const github = {
    nextWriteAt: () => Promise.resolve(clock.now),
    branchRules: () => now("rules", () => ({ approvals: 0, checks: [], restricted: false })),
    pullState: (_: unknown, pull: number) => call("read pull", () => hub.factsOf(pull)),
    refreshPulls: (_: unknown, at: Parameters<ModelHub["closerLook"]>[0]) =>
      call("look", () => hub.closerLook(at)),
    updateRefs: (_: unknown, { updates }: { updates: Parameters<ModelHub["updateRefs"]>[0] }) =>
      call<RefsOutcome>(
        "move refs",
        () => {
          if (!store.isHolder(who)) updates.forEach(({ after }) => hub.movedLate.add(after));
          return hub.updateRefs(updates);
        },
        UNKNOWN,
      ),
    mergePullRequest: (_: unknown, request: { pull: number; head: Sha; method: "squash" }) =>
      call<MergeOutcome>(
        "merge",
        () => hub.merge(request.pull, request.head, request.method),
        UNKNOWN,
      ),
    issueStates: () => now("issue states", () => new Map()),
    findCheck: () => now("find check", ignore),
    createCheck: () => now("create check", () => "check"),
    updateCheck: () => now("update check", ignore),
  };
  const deps = {
    git,
    github,
    log: SILENT,
    operator: OPERATOR,
    botLogin: "app",
    holder: who,
    ...rooms,
    store: storeOf(store, { call, now }),
    clock: { now: () => clock.now, after: (_: number, fire: () => void) => clock.after(fire) },
    background: activities,
    publishing: createKeyedQueue(),
    wake: ignore,
  } as unknown as Deps;
  return deps;
}

interface Callers {
  readonly call: Call;
  readonly now: Call;
}

function storeOf(store: ModelStore, { call, now }: Callers): object {
  type Args<K extends keyof ModelStore> = ModelStore[K] extends (...args: infer A) => unknown
    ? A
    : never;
  return {
    record: (...args: Args<"record">) => call("record", () => store.record(...args)),
    readRepo: () => call("read store", () => store.memory()),
    pauseOf: () => call("pause of", () => store.pauseOf()),
    command: (id: string) => now("command", () => store.command(id)),
    pendingCommands: () => now("pending commands", () => store.pendingCommands()),
    verdicts: (...args: Args<"verdicts">) => now("verdicts", () => store.verdicts(...args)),
    acquireLease: (...args: Args<"acquireLease">) =>
      call("acquire", () => store.acquireLease(...args)),
    renewLease: (...args: Args<"renewLease">) => call("renew", () => store.renewLease(...args)),
    releaseLease: (...args: Args<"releaseLease">) =>
      now("release", () => store.releaseLease(...args)),
    publication: (key: string) => now("publication", () => store.publication(key)),
    savePublication: (...args: Args<"savePublication">) =>
      now("save publication", () => store.savePublication(...args)),
  };
}

/** Calls without an effect that anyone else could see, or come between, need no turn. */
const quietly: Call = (_, effect) => new Promise((resolve) => resolve(effect()));

function caller(who: string, { turns }: Shared): Call {
  return async (what, effect, lost) => {
    const fate: Fate = await turns.wait(who, what);
    if (fate === "fails-before") return failed(what, lost);
    const result = await effect();
    if (fate === "dies-after") return new Promise(() => undefined);
    return fate === "fails-after" ? failed(what, lost) : result;
  };
}

function failed<T>(what: string, lost: T | undefined): T {
  if (lost !== undefined) return lost;
  throw new AppError("github-unavailable", `${what} got no answer`, { retryable: true });
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new AppError("git-failed", "no such branch");
  return value;
}
