import { fail, ok } from "../shared/result.ts";
import type { Result } from "../shared/result.ts";
import { probe } from "./process-probe.ts";

/** Ends with its parent, has its own `/proc`, and sees what is mounted or unmounted on the host meanwhile. */
const OWN = ["--pid", "--fork", "--kill-child", "--mount-proc", "--propagation", "slave"];

/**
 * The first process of a namespace. The kernel keeps a signal from it that it does not catch, and hands it every orphan: a command in
 * this place could neither be interrupted nor would it notice its zombies. With its end all others end, whatever they did to hide.
 * The group is its own: a signal to everybody in it must not reach the shim outside.
 */
const INIT = `
trap : HUP INT QUIT PIPE ALRM TERM USR1 USR2
"$@"
exit $?
`;

export interface PidNamespace {
  readonly kind: "pid-namespace" | "user-namespace";
  wrap(argv: readonly string[]): readonly string[];
}

/** A PID namespace for each command, if this host gives one; otherwise the reason. Only root has it without a user namespace around. */
export async function probePidNamespace(
  path: string,
  isRoot = process.getuid?.() === 0,
): Promise<Result<PidNamespace, string>> {
  const user = isRoot ? [] : ["--map-current-user"];
  const wrap = (argv: readonly string[]): readonly string[] => [
    ...["unshare", ...user, ...OWN, "--", "setsid", "/bin/sh", "-c", INIT, "wavetrain-init"],
    ...argv,
  ];
  const probed = await probe(wrap(["/bin/sh", "-c", "echo works"]), path);
  if (!probed.ok) return fail(probed.reason);
  if (probed.output.trim() !== "works") return fail("unshare did not run a command");
  return ok({ kind: isRoot ? "pid-namespace" : "user-namespace", wrap });
}
