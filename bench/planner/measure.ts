import { fork } from "node:child_process";
import { once } from "node:events";

/** CPU time of this process, all its threads included. */
export function cpuOf<T>(work: () => T): { readonly value: T; readonly cpuMs: number } {
  const before = process.cpuUsage();
  const value = work();
  const { user, system } = process.cpuUsage(before);
  return { value, cpuMs: (user + system) / 1000 };
}

/** The most memory that this process has had, in megabytes. */
export function peakMemoryMb(): number {
  return process.resourceUsage().maxRSS / 1024;
}

/** Runs one case in a process of its own, so that its memory and its warm-up are its own too. */
export async function inOwnProcess<T>(script: string, name: string): Promise<T> {
  const child = fork(script, [name]);
  const [message] = (await Promise.race([
    once(child, "message"),
    once(child, "exit").then(([code]) => {
      throw new Error(`case ${name} ended with ${String(code)} and without a result`);
    }),
  ])) as [T];
  return message;
}
