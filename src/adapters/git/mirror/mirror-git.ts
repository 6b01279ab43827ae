import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Instant, RepoName, Sha } from "../../../domain/ids.ts";
import type { Aside } from "../../../ports/host.ts";
import { createKeyedQueue, type KeyedQueue } from "../../../shared/keyed-queue.ts";
import { PASSED_OVER } from "../../host/aside.ts";
import { Conversations } from "../run/conversations.ts";
import type { GitProgram } from "../run/conversations.ts";
import {
  APP_IDENTITY,
  gitEnvironment,
  type GitSettings,
  type Identity,
} from "../run/git-environment.ts";
import { callGit, expectGit, runGit } from "../run/run-git.ts";
import type { GitCall, GitPlace, GitResult, TypedGit } from "../run/run-git.ts";
import { createLayout, type Layout } from "./layout.ts";

export interface GitOptions {
  readonly dataDir: string;
  readonly remoteUrl: (repo: RepoName) => string;
  readonly token: (repo: RepoName) => Promise<string>;
  readonly now: () => Instant;
  /** Signs every commit that is made here. Without it a name is used that nobody has. */
  readonly identity?: (repo: RepoName) => Promise<Pick<Identity, "name" | "email">>;
  /** Git needs these from the host: PATH and, where they are set, proxy and certificate variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** At most so many clean workspaces per repository are kept to be used again. */
  readonly maxSpares?: number;
  /** A workspace waits so long for its folder while another one still has it. */
  readonly maxWaitMs?: number;
  /** Takes things that are in the way; without it they are passed over. */
  readonly aside?: Aside;
}

/** Says for which mirror git runs, and what this run has of its own. */
export interface MirrorPlace {
  readonly repo: RepoName;
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: readonly (readonly [string, string])[];
  readonly input?: string;
  readonly secrets?: readonly string[];
  readonly retryable?: boolean;
}

export interface MirrorCommand extends MirrorPlace {
  readonly args: readonly string[];
}

/** Runs git with the app's own mirror as its repository, whatever folder it works on: no file that a runner wrote configures it. */
export interface MirrorGit {
  readonly options: GitOptions;
  readonly layout: Layout;
  readonly aside: Aside;
  /** Lets one work at a time per repository: work that writes refs or moves folders of the mirror must use it. */
  readonly serialize: KeyedQueue;
  /** Holds the folders of the workspaces that this process has open, and who has each. */
  readonly opened: Map<string, string>;
  /** Holds those of the open folders that nobody used before. */
  readonly fresh: Set<string>;
  /** Holds folders that can be neither deleted nor moved: their workspaces are opened beside them. */
  readonly stuck: Set<string>;
  /** Holds the folders of spares that this process has cleaned: one that an earlier process left may have been spoilt since. */
  readonly cleaned: Set<string>;
  /** Holds commits that were pushed from the mirror lately: the mirror had them with their whole history. */
  readonly pushed: Set<Sha>;
  /** Says who signs commits that nobody else wrote, and commits what others wrote. */
  identity(repo: RepoName): Promise<Pick<Identity, "name" | "email">>;
  /** Asks a git that keeps running, which is much quicker than starting one. */
  ask(repo: RepoName, helper: GitProgram, question: string): Promise<Buffer>;
  /** Waits a moment for work that is under way or in line. */
  close(): Promise<void>;
  /** Uses one of simple-git's typed calls, and throws unless git succeeded. */
  call<T>(place: MirrorPlace, call: (git: TypedGit) => PromiseLike<T>): Promise<T>;
  run(command: MirrorCommand): Promise<GitResult>;
  /** Returns the standard output, and throws unless git succeeded. */
  expect(command: MirrorCommand): Promise<string>;
}

/** Nobody waits longer for it when the server stops: what git leaves unfinished is put right at the next start. */
const MAX_CLOSING_MS = 2_000;
const DEFAULT_HOST = { PATH: "/usr/local/bin:/usr/bin:/bin" };

export function createMirrorGit(options: GitOptions): MirrorGit {
  const layout = createLayout(resolve(options.dataDir));
  const settings: GitSettings = { host: options.env ?? DEFAULT_HOST, home: layout.home };
  const placeOf = async (place: MirrorPlace): Promise<GitPlace> => {
    await mkdir(layout.home, { recursive: true });
    return {
      cwd: layout.home,
      env: {
        ...gitEnvironment(settings, place.config),
        GIT_DIR: layout.mirror(place.repo),
        ...place.env,
      },
      input: place.input,
      secrets: place.secrets ?? [],
      retryable: place.retryable ?? false,
    };
  };
  const callOf = async (command: MirrorCommand): Promise<GitCall> => ({
    ...(await placeOf(command)),
    args: command.args,
  });
  const conversations = new Conversations({
    mirror: (repo) => layout.mirror(repo),
    env: (repo) => ({ ...gitEnvironment(settings), GIT_DIR: layout.mirror(repo) }),
  });
  const queue = createWatchedQueue();
  return {
    options,
    layout,
    aside: options.aside ?? PASSED_OVER,
    serialize: queue.serialize,
    opened: new Map(),
    fresh: new Set(),
    stuck: new Set(),
    cleaned: new Set(),
    pushed: new Set(),
    identity: options.identity ?? (() => Promise.resolve(APP_IDENTITY)),
    ask: (repo, helper, question) => conversations.ask(repo, helper, question),
    close: async () => {
      await queue.emptyWithin(MAX_CLOSING_MS);
      conversations.end();
    },
    call: async (place, call) => callGit(await placeOf(place), call),
    run: async (command) => runGit(await callOf(command)),
    expect: async (command) => expectGit(await callOf(command)),
  };
}

interface WatchedQueue {
  readonly serialize: KeyedQueue;
  /** Resolves when nothing is under way or in line, or when the time is over. */
  emptyWithin(ms: number): Promise<void>;
}

function createWatchedQueue(): WatchedQueue {
  const queue = createKeyedQueue();
  const underWay = new Set<Promise<unknown>>();
  return {
    serialize: (key, work) => {
      const turn = queue(key, work);
      const ended = turn.catch(() => undefined).finally(() => underWay.delete(ended));
      underWay.add(ended);
      return turn;
    },
    async emptyWithin(ms) {
      const timer = new AbortController();
      const late = sleep(ms, undefined, { signal: timer.signal }).catch(() => undefined);
      await Promise.race([Promise.all(underWay), late]);
      timer.abort();
    },
  };
}
