import type { Sandbox, SandboxView } from "../ports/sandbox.ts";
import { fail, ok } from "../shared/result.ts";
import type { Result } from "../shared/result.ts";
import { probe } from "./process-probe.ts";
import { programPaths } from "./sandbox-programs.ts";
import { shownPaths } from "./sandbox-shown.ts";
import { systemBinds } from "./sandbox-system.ts";

export interface BubblewrapOptions {
  readonly dataDir: string;
  readonly readable: readonly string[];
  /** The server's PATH. */
  readonly path: string;
}

/** Namespaces of its own but for the network, no capability, and an end with its parent. */
const ISOLATION = [
  ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent"],
  // Also for root: who could mount could make everything writable again.
  ...["--cap-drop", "ALL"],
];
/** The kernel's own settings, which root may write even without a capability: a program named there would run on the host. */
const KERNEL = ["sys", "sysrq-trigger", "irq", "bus", "fs", "mtrr"].map((name) => `/proc/${name}`);
const EMPTY = ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/run"];

/** Bubblewrap, if it does here what we need of it; otherwise the reason. */
export async function probeBubblewrap(
  options: BubblewrapOptions,
): Promise<Result<Sandbox, string>> {
  const host = await hostArguments(options);
  const probed = await probe(["bwrap", ...host, "/bin/sh", "-c", "echo works"]);
  if (!probed.ok) return fail(probed.reason);
  if (probed.output.trim() !== "works") return fail("bwrap did not run a command");
  const wrap = (argv: readonly string[], view: SandboxView): readonly string[] => [
    ...["bwrap", ...host, ...viewArguments(view), "--", ...argv],
  ];
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
