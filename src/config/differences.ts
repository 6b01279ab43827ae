import { mergeConfig } from "./merge-config.ts";
import { defaultRepoConfig } from "./read-repo-config.ts";
import { operatorConfigSchema } from "./schema.ts";
import type { OperatorConfig } from "./schema.ts";

/** Why settings are not the defaults, by path: `retry` also stands for `retry.backoff`. */
export type Reasons = Readonly<Record<string, string>>;

/** A setting that is not what the program does by itself. */
export interface Difference {
  readonly path: string;
  readonly value: unknown;
  readonly standard: unknown;
  /** Undefined where nobody gave one. */
  readonly reason: string | undefined;
}

/** What every set-up has to say for itself: there is no default that could be right. */
const OWN_AFFAIRS: ReadonlySet<string> = new Set([
  "dataDir",
  "server.host",
  "server.port",
  "github.apiUrl",
  "github.gitUrl",
  "runners",
  "slots",
  "repositories.*.board",
  "repositories.*.verify",
  "repositories.*.allowUnverified",
  "repositories.*.limits.parallel",
]);

/** Where a configuration is not the default one. Repositories are held against the same defaults, so their names do not matter. */
export function differencesFromDefaults(
  config: OperatorConfig,
  reasons: Reasons,
): readonly Difference[] {
  const { runners, repositories, ...rest } = config;
  const standard = operatorConfigSchema.parse({ runners: plainRunners(Object.keys(runners)) });
  const found = [
    ...compare({ ...rest, runners }, standard, ""),
    ...Object.values(repositories).flatMap((fixed) =>
      compare(settingsWith(fixed), defaultRepoConfig(), "repositories.*."),
    ),
  ];
  const byPath = new Map(found.map((one) => [one.path, one]));
  return [...byPath.values()].map((one) => ({ ...one, reason: reasonFor(one.path, reasons) }));
}

/** Those that are more than addresses, sizes and who does the work. */
export function departures(differences: readonly Difference[]): readonly Difference[] {
  return differences.filter(({ path }) => !pathsTo(path).some((each) => OWN_AFFAIRS.has(each)));
}

export function renderDifference({ path, value, standard, reason }: Difference): string {
  const instead = standard === undefined ? "" : ` instead of ${JSON.stringify(standard)}`;
  return `${path} ${JSON.stringify(value)}${instead}${reason === undefined ? "" : ` (${reason})`}`;
}

/** Who does the work is the one thing without a default. */
function plainRunners(names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name) => [name, { command: "true" }]));
}

function settingsWith(fixed: Readonly<Record<string, unknown>>): unknown {
  const merged = mergeConfig(defaultRepoConfig(), fixed);
  if (!merged.ok) throw new Error(`the settings do not go together: ${merged.error}`);
  return merged.value;
}

function compare(
  given: unknown,
  standard: unknown,
  prefix: string,
): readonly Omit<Difference, "reason">[] {
  const defaults = new Map(leavesOf(standard, ""));
  return leavesOf(given, "").flatMap(([path, value]) => {
    const usual = defaults.get(path);
    if (JSON.stringify(value) === JSON.stringify(usual)) return [];
    return [{ path: `${prefix}${path}`, value, standard: usual }];
  });
}

/** Lists count as one value: their places are no settings. */
function leavesOf(value: unknown, path: string): readonly (readonly [string, unknown])[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, path === "" ? key : `${path}.${key}`),
  );
}

function reasonFor(path: string, reasons: Reasons): string | undefined {
  return pathsTo(path)
    .map((each) => reasons[each])
    .find((reason) => reason !== undefined);
}

/** The path and the groups that it is in. */
function pathsTo(path: string): readonly string[] {
  const keys = path.split(".");
  return keys.map((_, index) => keys.slice(0, index + 1).join("."));
}
