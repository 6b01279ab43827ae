import type { RunnerConfig } from "../../config/schema/runner-schema.ts";
import { PRESETS } from "./presets.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Lists the variables of which the runner needs one. The list is empty where that cannot be told, as for a command of the operator's own. */
export function neededKeys({
  preset,
  args = [],
}: Pick<Partial<RunnerConfig>, "preset" | "args">): readonly string[] {
  if (preset === undefined) return [];
  const { keys, ownProvider } = PRESETS[preset];
  const words = args.join("\n");
  if (ownProvider === undefined || !ownProvider.test(words)) return keys;
  return [...words.matchAll(/\benv_key\s*=\s*"([A-Za-z_]\w*)"/g)].flatMap(([, name]) => name ?? []);
}

/** Lists the variables of which one has to be given to the runner, and none is. The list is empty when nothing is missing. */
export function missingKeys(
  runner: Pick<Partial<RunnerConfig>, "preset" | "args" | "env">,
  variables: Variables,
): readonly string[] {
  const needed = neededKeys(runner);
  const isGiven = (name: string): boolean =>
    (runner.env ?? []).includes(name) && (variables[name] ?? "").trim() !== "";
  return needed.some(isGiven) ? [] : needed;
}

/** Says what is missing, as the end of a sentence that names the runner. */
export function wordMissingKeys(name: string, keys: readonly string[]): string {
  const [only, ...others] = keys;
  const what = others.length === 0 ? String(only) : `one of ${keys.join(", ")}`;
  return `it has no key: set ${what} where wavetrain runs, and name it in runners.${name}.env`;
}
