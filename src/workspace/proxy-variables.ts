import { PROXY_PORT } from "../domain/network/network.ts";
import type { Network } from "../domain/network/network.ts";

/** Names of this machine, which in a sandbox of its own network is the sandbox itself. */
const LOOPBACK = ["localhost", "127.0.0.1", "::1"];

/**
 * What tells programs of the proxy that is their only way out. What runs in the sandbox is reached without it, but for names that the
 * operator wrote down: those mean the host's own.
 */
export function proxyVariables(network: Network): Readonly<Record<string, string>> {
  if (typeof network === "string") return {};
  const proxy = `http://127.0.0.1:${PROXY_PORT}`;
  const direct = LOOPBACK.filter((name) => !network.some((entry) => names(entry, name))).join(",");
  const all = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: direct };
  const small = Object.entries(all).map(([name, value]) => [name.toLowerCase(), value] as const);
  // Node's own requests look at the others only when they are told to.
  return { ...all, ...Object.fromEntries(small), NODE_USE_ENV_PROXY: "1" };
}

function names(entry: string, name: string): boolean {
  return entry === name || entry.startsWith(`${name}:`) || entry.startsWith(`[${name}]`);
}
