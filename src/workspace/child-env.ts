/** What a runner may see of the server's environment besides what the operator lists. */
const ALWAYS = ["PATH", "LANG", "LC_ALL", "TZ", "TERM"] as const;

export interface ChildEnvironment {
  readonly server: Readonly<Record<string, string | undefined>>;
  readonly allowed: readonly string[];
  readonly home: string;
  readonly tmp: string;
  readonly run: string;
  readonly extra: Readonly<Record<string, string>>;
}

/** An allow-list: no key, secret or token of ours can leak by being forgotten. */
export function childEnv(request: ChildEnvironment): Readonly<Record<string, string>> {
  const inherited = [...ALWAYS, ...request.allowed].flatMap((name) => {
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
