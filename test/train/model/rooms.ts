import type { Sha } from "../../../src/domain/ids.ts";

export type Call = <T>(what: string, effect: () => T | Promise<T>, lost?: T) => Promise<T>;

interface Ways {
  readonly call: Call;
  readonly treeOf: (commit: Sha) => Sha;
  readonly isGreen: (tree: Sha) => Promise<boolean>;
  readonly random: () => number;
}

/** What a verification works in: a workspace is the tree that it is at, and the command a look at that tree. */
export function roomsOf({ call, treeOf, isGreen, random }: Ways) {
  return {
    workspaces: {
      openWorkspace: ({ base }: { base: Sha }) =>
        call("open workspace", () => ({ path: treeOf(base) })),
      closeWorkspace: () => call("close workspace", ignore),
      gitPaths: () => [],
      provideSetup: () => call("set up", () => ({ kind: "reused" })),
    },
    processes: {
      run: async ({ cwd }: { cwd: string }) => ({
        kind: "exited",
        code: (await isGreen(cwd as Sha)) ? 0 : 1,
      }),
      forget: () => call("forget", ignore),
      stateOf: () => call("state of", () => "absent"),
      tail: () => call("tail", () => "the end"),
    },
    host: {
      environment: {},
      logPath: () => "log",
      makePrivateFolders: () =>
        call("make folders", () => ({ home: "home", tmp: "tmp", inputDir: "input", fresh: true })),
      removeTmp: () => call("remove tmp", ignore),
      removeHome: () => call("remove home", ignore),
      markerOf: () => "marker",
      random,
      nonce: () => String(random()),
    },
    sandbox: { level: "none", wrap: (argv: readonly string[]) => argv },
    ports: { take: () => 4000, release: ignore },
    files: { remove: () => call("remove", ignore), exists: () => call("exists", () => false) },
  };
}

export function ignore(): void {
  return undefined;
}
