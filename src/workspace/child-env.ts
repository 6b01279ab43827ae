import { PROXY_PORT } from "../domain/network/network.ts";
import type { Network } from "../domain/network/network.ts";

export interface ChildEnvironment {
  readonly server: Readonly<Record<string, string | undefined>>;
  readonly allowed: readonly string[];
  readonly home: string;
  readonly tmp: string;
  readonly run: string;
  readonly extra: Readonly<Record<string, string>>;
}
/** A runner may see these variables of the server's environment besides those that the operator lists. */
const ALWAYS_VISIBLE = ["PATH", "LANG", "LC_ALL", "TZ", "TERM"] as const;

/** These names mean this machine, which in a sandbox of its own network is the sandbox itself. */
const LOOPBACK = ["localhost", "127.0.0.1", "::1"];

/** This is an allow-list: no key, secret or token of ours can leak by being forgotten. */
export function childEnv(request: ChildEnvironment): Readonly<Record<string, string>> {
  const inherited = [...ALWAYS_VISIBLE, ...request.allowed].flatMap((name) => {
    const value = request.server[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(inherited),
    HOME: request.home,
    TMPDIR: request.tmp,
    WAVETRAIN_RUN_ID: request.run,
    ...request.extra,
  };
}

/**
 * These variables tell programs of the proxy that is their only way out. Servers in the sandbox are reached without it, but for names that the
 * operator wrote down: those mean the host's own.
 */
export function proxyVariables(network: Network): Readonly<Record<string, string>> {
  if (typeof network === "string") return {};
  const proxy = `http://127.0.0.1:${PROXY_PORT}`;
  const direct = LOOPBACK.filter((name) => !network.some((entry) => names(entry, name))).join(",");
  const all = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: direct };
  const small = Object.entries(all).map(([name, value]) => [name.toLowerCase(), value] as const);
  // Node's own requests look at the other variables only when they are told to.
  return { ...all, ...Object.fromEntries(small), NODE_USE_ENV_PROXY: "1" };
}

function names(entry: string, name: string): boolean {
  return entry === name || entry.startsWith(`${name}:`) || entry.startsWith(`[${name}]`);
}
