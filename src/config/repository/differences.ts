import { operatorConfigSchema } from "../schema/operator-config.ts";
import type { OperatorConfig } from "../schema/operator-config.ts";
import { repoConfigSchema } from "../schema/repo-config.ts";
import { defaultRepoConfig } from "./read-repo-config.ts";

/** It says for paths why settings are not the defaults; `retry` also stands for `retry.backoff`. */
export type Reasons = Readonly<Record<string, string>>;

/** This is a setting that is not the program's default. */
export interface Difference {
  readonly path: string;
  readonly value: unknown;
  readonly standard: unknown;
  /** It is undefined where nobody gave one. */
  readonly reason: string | undefined;
}

/** Every set-up has to choose these itself: no default could be right. */
const OWN_AFFAIRS: ReadonlySet<string> = new Set([
  "dataDir",
  "server.host",
  "server.port",
  "github.apiUrl",
  "github.gitUrl",
  "runners",
  "slots",
  "repositories.*.board",
  "repositories.*.setup",
  "repositories.*.verify",
  "repositories.*.scores",
  "repositories.*.allowUnverified",
  "repositories.*.limits.parallel",
]);

/**
 * Lists where a configuration is not the default one. All repositories are compared with the same defaults, so their names do not matter.
 */
export function differencesFromDefaults(
  config: OperatorConfig,
  reasons: Reasons,
): readonly Difference[] {
  const { runners, repositories, ...rest } = config;
  const standard = operatorConfigSchema.parse({ runners: plainRunners(Object.keys(runners)) });
  const found = [
    ...compare({ ...rest, runners }, standard, ""),
    ...Object.values(repositories).flatMap((fixed) =>
      compare(repoConfigSchema.parse(fixed), defaultRepoConfig(), "repositories.*."),
    ),
  ];
  const byPath = new Map(found.map((one) => [one.path, one]));
  return [...byPath.values()].map((one) => ({ ...one, reason: reasonFor(one.path, reasons) }));
}

/** Leaves out addresses, sizes and the choice of who does the work. */
export function departures(differences: readonly Difference[]): readonly Difference[] {
  return differences.filter(({ path }) => !pathsTo(path).some((each) => OWN_AFFAIRS.has(each)));
}

export function renderDifference({ path, value, standard, reason }: Difference): string {
  const instead = standard === undefined ? "" : ` instead of ${JSON.stringify(standard)}`;
  return `${path} ${JSON.stringify(value)}${instead}${reason === undefined ? "" : ` (${reason})`}`;
}

/** The runners are the one thing without a default. */
function plainRunners(names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name) => [name, { command: "true" }]));
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

/** A list counts as one value, because its places are no settings. */
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

/** Returns the path and the groups that it is in. */
function pathsTo(path: string): readonly string[] {
  const keys = path.split(".");
  return keys.map((_, index) => keys.slice(0, index + 1).join("."));
}
