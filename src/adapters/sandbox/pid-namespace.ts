import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { probe } from "../process/probe.ts";

/** The namespace ends with its parent, has its own `/proc`, and sees what is mounted or unmounted on the host meanwhile. */
const OWN = ["--pid", "--fork", "--kill-child", "--mount-proc", "--propagation", "slave"];

/**
 * This is the first process of a namespace. The kernel does not deliver signals to it that it does not catch, and gives it every
 * orphan: a command in this place could not be interrupted and would not notice its zombies. When it ends, all others end,
 * whatever they did to hide. It has its own group, because a signal to the whole group must not reach the shim outside.
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

/**
 * Tries whether this host gives each command a PID namespace; the result is the namespace, or the reason why not. Only root gets
 * one without a user namespace around it.
 */
export async function probePidNamespace(
  path: string,
  isRoot = process.getuid?.() === 0,
): Promise<Result<PidNamespace, string>> {
  const user = isRoot ? [] : ["--map-current-user"];
  const wrap = (argv: readonly string[]): readonly string[] => [
    "unshare",
    ...user,
    ...OWN,
    "--",
    "setsid",
    "/bin/sh",
    "-c",
    INIT,
    "wavetrain-init",
    ...argv,
  ];
  const probed = await probe(wrap(["/bin/sh", "-c", "echo works"]), path);
  if (!probed.ok) return fail(probed.reason);
  if (probed.output.trim() !== "works") return fail("unshare did not run a command");
  return ok({ kind: isRoot ? "pid-namespace" : "user-namespace", wrap });
}
