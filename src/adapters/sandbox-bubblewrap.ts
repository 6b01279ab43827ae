import type { Sandbox, SandboxView } from "../ports/sandbox.ts";
import { fail, ok } from "../shared/result.ts";
import type { Result } from "../shared/result.ts";
import { wayOut } from "./egress/way-out.ts";
import type { WayOut } from "./egress/way-out.ts";
import { probe } from "./process-probe.ts";
import { programPaths } from "./sandbox-programs.ts";
import { shownPaths } from "./sandbox-shown.ts";
import { systemBinds } from "./sandbox-system.ts";

export interface BubblewrapOptions {
  readonly dataDir: string;
  readonly readable: readonly string[];
  /** The server's PATH. */
  readonly path: string;
  /** Whether some command is to be kept off the network. */
  readonly closes?: boolean;
}

/** Namespaces of its own, no capability, and an end with its parent. */
const ISOLATION = [
  ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent"],
  // A signal to everybody in the group must not reach who watches over it, outside.
  "--new-session",
  // Also for root: who could mount could make everything writable again.
  ...["--cap-drop", "ALL"],
];
/** The kernel's own settings, which root may write even without a capability: a program named there would run on the host. */
const KERNEL = ["sys", "sysrq-trigger", "irq", "bus", "fs", "mtrr"].map((name) => `/proc/${name}`);
/** A network of its own, with nothing on it but itself. */
const CLOSED = "--unshare-net";
const EMPTY = ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/run"];

/** Bubblewrap, if it does here what we need of it; otherwise the reason. */
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
      ...["bwrap", ...host, ...viewArguments(view), ...networkArguments(view, way), "--"],
      ...(way?.relay ?? []),
      ...argv,
    ];
  };
  return ok({ level: "bubblewrap", wrap });
}

/** Later arguments cover earlier ones: what may be read must not bring the app's own folder with it. */
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
    ...["--chdir", workspace],
  ];
}

function networkArguments({ network }: SandboxView, way: WayOut | undefined): readonly string[] {
  if (network === "open") return [];
  if (way === undefined) return [CLOSED];
  const { source, target } = way.shown;
  const { execPath } = process;
  return [CLOSED, "--ro-bind", source, target, "--ro-bind", execPath, execPath];
}
