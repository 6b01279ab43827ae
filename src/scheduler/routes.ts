import type { Size } from "../domain/plan.ts";

/** What routing looks at in a runner. */
export interface RoutedRunner {
  readonly sizes: readonly Size[];
  readonly fallback: readonly string[];
}

export interface Wish {
  /** The runner that the task names. */
  readonly runner: string | undefined;
  readonly size: Size | undefined;
}

export interface Routing {
  readonly runners: Readonly<Record<string, RoutedRunner>>;
  /** For tasks that neither name a runner nor have a size that belongs to one. */
  readonly defaultRunner: string;
}

/** The runner for a task, then those that may stand in for it: by name, then by size, then the default. */
export function routeOf({ runner, size }: Wish, { runners, defaultRunner }: Routing) {
  const sized = Object.keys(runners).filter(
    (name) => size !== undefined && runners[name]?.sizes.includes(size) === true,
  );
  const firsts = runner !== undefined ? [runner] : sized.length > 0 ? sized : [defaultRunner];
  const standIns = firsts.flatMap((name) => runners[name]?.fallback ?? []);
  return [...new Set([...firsts, ...standIns])];
}
