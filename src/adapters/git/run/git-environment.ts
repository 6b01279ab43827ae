export interface GitSettings {
  /** Git itself needs these from the host: PATH and, where they are set, proxy and certificate variables. */
  readonly host: Readonly<Record<string, string>>;
  /** This folder is empty, so that git never reads the configuration of a user. */
  readonly home: string;
}

/** Programs differ in the letter case that they look for; curl, which git uses, heeds `http_proxy` in small letters only. */
const PROXIES = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"].flatMap(bothCases);
/** Which of the last four counts for certificates depends on how git was built. */
const HOST_VARIABLES = [
  "PATH",
  ...PROXIES,
  ...bothCases("NO_PROXY"),
  "GIT_SSL_CAINFO",
  "GIT_SSL_CAPATH",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
];

/** Picks the variables of the host that git needs to reach GitHub. */
export function hostVariables(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const found = HOST_VARIABLES.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/** Tells whether the remote may have to be asked through a proxy. */
export function namesProxy(host: Readonly<Record<string, string | undefined>>): boolean {
  return PROXIES.some((name) => host[name] !== undefined);
}

function bothCases(name: string): readonly string[] {
  return [name, name.toLowerCase()];
}

export interface Identity {
  readonly name: string;
  readonly email: string;
  /** This counts seconds since the epoch. */
  readonly at: number;
}

/** Signs commits where GitHub cannot say who the app is: nothing that is saved may wait for it. */
export const APP_IDENTITY = { name: "wavetrain", email: "wavetrain@wavetrain.invalid" };

// The environment outranks every configuration file, and shows in no list of arguments.
const FIXED_CONFIG: readonly (readonly [string, string])[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.untrackedCache", "false"],
  ["core.splitIndex", "false"],
  ["core.autocrlf", "false"],
  ["core.attributesFile", "/dev/null"],
  ["core.excludesFile", "/dev/null"],
  ["core.logAllRefUpdates", "false"],
  ["credential.helper", ""],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  // A file that one change adds must not move because another change moved its neighbours.
  ["merge.directoryRenames", "false"],
  ["merge.renames", "true"],
  ["rerere.enabled", "false"],
  ["commit.gpgSign", "false"],
  ["push.gpgSign", "false"],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["http.lowSpeedLimit", "1000"],
  ["http.lowSpeedTime", "60"],
];

/** Builds the whole environment of one git command. `config` adds settings for this command alone. */
export function gitEnvironment(
  settings: GitSettings,
  config: readonly (readonly [string, string])[] = [],
): Readonly<Record<string, string>> {
  return {
    ...settings.host,
    HOME: settings.home,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "http:https:file",
    ...configEnvironment([...FIXED_CONFIG, ...config]),
  };
}

function configEnvironment(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(pairs.length) };
  for (const [index, [key, value]] of pairs.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return env;
}
