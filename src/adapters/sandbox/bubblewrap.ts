import type { Sandbox, SandboxView } from "../../ports/sandbox.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { probe } from "../process/probe.ts";
import { wayOut } from "./egress/way-out.ts";
import type { WayOut } from "./egress/way-out.ts";
import { programPaths, shownPaths, systemBinds } from "./shown-paths.ts";

export interface BubblewrapOptions {
  readonly dataDir: string;
  readonly readable: readonly string[];
  /** This is the server's PATH. */
  readonly path: string;
  /** This says whether some command must be kept off the network. */
  readonly closes?: boolean;
}

/** The command has its own namespaces and no capability, and ends with its parent. */
const ISOLATION = [
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--die-with-parent",
  // A signal to the whole group must not reach the process that watches from outside.
  "--new-session",
  // This is needed for root too: a process that can mount could make everything writable again.
  "--cap-drop",
  "ALL",
];
/**
 * These are the kernel's own settings. Root may write them even without a capability, and a program named there would run on the
 * host.
 */
const KERNEL = ["sys", "sysrq-trigger", "irq", "bus", "fs", "mtrr"].map((name) => `/proc/${name}`);
/** With this option the command has its own network with nothing on it. */
const CLOSED = "--unshare-net";
const EMPTY = ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/run"];

/** Tries bubblewrap on this host. The result is the sandbox if bubblewrap does what we need, or the reason why not. */
export async function probeBubblewrap(
  options: BubblewrapOptions,
): Promise<Result<Sandbox, string>> {
  const host = await hostArguments(options);
  const tried = options.closes === true ? [...host, CLOSED] : host;
  const probed = await probe(["bwrap", ...tried, "/bin/sh", "-c", "echo works"]);
  if (!probed.ok) return fail(probed.reason);
  if (probed.output.trim() !== "works") return fail("bwrap did not run a command");
  const wrap = (argv: readonly string[], view: SandboxView): readonly string[] => {
    const way = wayOut(view, { node: process.execPath, signals: "stay" });
    return [
      ...(way?.gate ?? []),
      "bwrap",
      ...host,
      ...viewArguments(view),
      ...networkArguments(view, way),
      "--",
      ...(way?.relay ?? []),
      ...argv,
    ];
  };
  return ok({ level: "bubblewrap", wrap });
}

/** Later arguments cover earlier ones, so the app's own folder is hidden last: a readable path may contain it. */
async function hostArguments({
  dataDir,
  readable,
  path,
}: BubblewrapOptions): Promise<readonly string[]> {
  const shown = await shownPaths([...(await programPaths(path)), ...readable], dataDir);
  return [
    ...ISOLATION,
    ...(await systemBinds()),
    ...EMPTY,
    ...KERNEL.flatMap((path) => ["--ro-bind-try", path, path]),
    ...shown.paths.flatMap((file) => ["--ro-bind-try", file, file]),
    ...shown.hidden.flatMap((folder) => ["--tmpfs", folder]),
  ];
}

function viewArguments({ workspace, home, tmp, readable }: SandboxView): readonly string[] {
  return [
    ...[workspace, home, tmp].flatMap((path) => ["--bind", path, path]),
    ...readable.flatMap((path) => ["--ro-bind-try", path, path]),
    "--chdir",
    workspace,
  ];
}

function networkArguments({ network }: SandboxView, way: WayOut | undefined): readonly string[] {
  if (network === "open") return [];
  if (way === undefined) return [CLOSED];
  const { source, target } = way.shown;
  const { execPath } = process;
  return [CLOSED, "--ro-bind", source, target, "--ro-bind", execPath, execPath];
}
