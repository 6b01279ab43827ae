import { OWN_SECRETS } from "../config/schema/runner-schema.ts";
import { PROXY_PORT } from "../domain/network/network.ts";
import type { Network } from "../domain/network/network.ts";

export interface ChildEnvironment {
  readonly server: Readonly<Record<string, string | undefined>>;
  readonly allowed: readonly string[];
  /** It is undefined where the command runs as if the server's user had typed it, with all that this user has. */
  readonly home: string | undefined;
  readonly tmp: string;
  readonly run: string;
  readonly extra: Readonly<Record<string, string>>;
}
/** A runner may see these variables of the server's environment besides those that the operator lists. */
const ALWAYS_VISIBLE = ["PATH", "LANG", "LC_ALL", "TZ", "TERM"] as const;

/** These names mean this machine, which in a sandbox of its own network is the sandbox itself. */
const LOOPBACK = ["localhost", "127.0.0.1", "::1"];

/** These point git at a repository, which is never that of the workspace. A hook of git's, for example, has them set. */
const OF_ONE_REPOSITORY =
  /^GIT_(?:ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|CONFIG|CONFIG_COUNT|CONFIG_PARAMETERS|DIR|GRAFT_FILE|IMPLICIT_WORK_TREE|INDEX_FILE|INTERNAL_SUPER_PREFIX|NAMESPACE|NO_REPLACE_OBJECTS|OBJECT_DIRECTORY|PREFIX|QUARANTINE_PATH|REPLACE_REF_BASE|SHALLOW_FILE|WORK_TREE)$/;

/** npm tells a script about itself by these; they are about the package of the script, and not that of the workspace. */
const OF_AN_NPM_SCRIPT = /^npm_|^INIT_CWD$/;

/** This is an allow-list, unless the operator gave up on that: no key, secret or token of ours can leak by being forgotten. */
export function childEnv(request: ChildEnvironment): Readonly<Record<string, string>> {
  const { server, home } = request;
  const visible = home === undefined ? asTyped(server) : [...ALWAYS_VISIBLE, ...request.allowed];
  const inherited = visible.flatMap((name) => {
    const value = server[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(inherited),
    ...(home === undefined ? {} : { HOME: home }),
    TMPDIR: request.tmp,
    WAVETRAIN_RUN_ID: request.run,
    ...request.extra,
  };
}

/** Lists what a command sees that its user typed, as far as it is not about something else. */
function asTyped(server: ChildEnvironment["server"]): readonly string[] {
  return Object.keys(server).filter(
    (name) =>
      !OWN_SECRETS.includes(name) && !OF_ONE_REPOSITORY.test(name) && !OF_AN_NPM_SCRIPT.test(name),
  );
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
