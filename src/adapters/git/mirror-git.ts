import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import type { Instant, RepoName, Sha } from "../../domain/ids.ts";
import type { Aside } from "../../ports/aside.ts";
import { PASSED_OVER } from "../aside.ts";
import type { Helper } from "./conversation.ts";
import { Conversations } from "./conversations.ts";
import { gitEnvironment, type GitSettings } from "./git-environment.ts";
import { createKeyedQueue, type KeyedQueue } from "../../shared/keyed-queue.ts";
import { createLayout, type Layout } from "./layout.ts";
import { expectGit, runGit, type GitCall, type GitResult } from "./run-git.ts";

export interface GitOptions {
  readonly dataDir: string;
  readonly remoteUrl: (repo: RepoName) => string;
  readonly token: (repo: RepoName) => Promise<string>;
  readonly now: () => Instant;
  /** What git needs from the host: PATH, and where there are such, proxy and certificate variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** How many clean workspaces per repository are kept to be used again. */
  readonly maxSpares?: number;
  /** Where things go that are in the way; without it they are passed over. */
  readonly aside?: Aside;
}

export interface MirrorCommand {
  readonly repo: RepoName;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: readonly (readonly [string, string])[];
  readonly input?: string;
  readonly secrets?: readonly string[];
  readonly retryable?: boolean;
}

/** Git with the app's own mirror as its repository, whatever directory it works on: no file that a runner wrote configures it. */
export interface MirrorGit {
  readonly options: GitOptions;
  readonly layout: Layout;
  readonly aside: Aside;
  /** One at a time per repository: for what writes refs or moves folders of the mirror. */
  readonly serialize: KeyedQueue;
  /** Folders of the workspaces that this process has open. */
  readonly opened: Set<string>;
  /** Those of them that nobody had before. */
  readonly fresh: Set<string>;
  /** Folders of the spares that this process has cleaned: what an earlier one left may have been spoilt since. */
  readonly cleaned: Set<string>;
  /** Commits that were pushed from the mirror lately: all that they lead to was in it. */
  readonly pushed: Set<Sha>;
  /** Asks a git that stays, which is much quicker than to start one. */
  ask(repo: RepoName, helper: Helper, question: string): Promise<Buffer>;
  close(): void;
  run(command: MirrorCommand): Promise<GitResult>;
  /** Standard output; anything but success throws. */
  expect(command: MirrorCommand): Promise<string>;
}

const DEFAULT_HOST = { PATH: "/usr/local/bin:/usr/bin:/bin" };

export function createMirrorGit(options: GitOptions): MirrorGit {
  const layout = createLayout(resolve(options.dataDir));
  const settings: GitSettings = { host: options.env ?? DEFAULT_HOST, home: layout.home };
  const callOf = async (command: MirrorCommand): Promise<GitCall> => {
    await mkdir(layout.home, { recursive: true });
    return {
      args: command.args,
      cwd: layout.home,
      env: {
        ...gitEnvironment(settings, command.config),
        GIT_DIR: layout.mirror(command.repo),
        ...command.env,
      },
      input: command.input,
      secrets: command.secrets ?? [],
      retryable: command.retryable ?? false,
    };
  };
  const conversations = new Conversations({
    mirror: (repo) => layout.mirror(repo),
    env: (repo) => ({ ...gitEnvironment(settings), GIT_DIR: layout.mirror(repo) }),
  });
  return {
    options,
    layout,
    aside: options.aside ?? PASSED_OVER,
    serialize: createKeyedQueue(),
    opened: new Set(),
    fresh: new Set(),
    cleaned: new Set(),
    pushed: new Set(),
    ask: (repo, helper, question) => conversations.ask(repo, helper, question),
    close: () => conversations.end(),
    run: async (command) => runGit(await callOf(command)),
    expect: async (command) => expectGit(await callOf(command)),
  };
}
