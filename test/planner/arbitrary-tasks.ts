import type { PlannableTask } from "../../src/domain/plan.ts";
import fc from "../support/fast-check.ts";
import { buildTask } from "./build-task.ts";
import type { TaskSketch } from "./build-task.ts";

/** The whole tree: few enough paths for tasks to meet. */
export const PATHS = ["a", "b", "c"].flatMap((dir) => ["1", "2", "3"].map((n) => `${dir}/${n}.ts`));

/** Patterns over that tree, with the paths that each stands for. */
const PATTERNS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...PATHS.map((path): [string, string[]] => [path, [path]]),
  ["a/**", PATHS.filter((path) => path.startsWith("a/"))],
  ["b/**", PATHS.filter((path) => path.startsWith("b/"))],
  ["*/2.ts", PATHS.filter((path) => path.endsWith("/2.ts"))],
]);

/** The standard barrier and shared files are none of these paths; without them a plan takes a third of the time. */
export const NO_FILE_RULES = { barrier: [], shared: [] };

export function pathsOf(task: PlannableTask, mode: "read" | "write"): readonly string[] {
  const claims = task.claims.filter((claim) => claim.mode === mode);
  return [...new Set(claims.flatMap(({ pattern }) => PATTERNS.get(pattern) ?? []))].sort();
}

const pattern = fc.constantFrom(...PATTERNS.keys());

interface SketchOptions {
  readonly most: number;
  /** Whether dependencies may point anywhere, so that cycles arise. */
  readonly tangled?: boolean;
}

/** Tasks `t0`… that write, read, depend on each other, and sometimes run alone. */
export function arbitraryTasks({
  most,
  tangled = false,
}: SketchOptions): fc.Arbitrary<PlannableTask[]> {
  const sketch = fc.record({
    files: fc.uniqueArray(pattern, { minLength: 1, maxLength: 3 }),
    reads: fc.uniqueArray(pattern, { maxLength: 2 }),
    minutes: fc.integer({ min: 1, max: 20 }),
    priority: fc.constantFrom(
      "normal" as const,
      "normal" as const,
      "high" as const,
      "low" as const,
    ),
    exclusive: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    waits: fc.array(fc.nat({ max: 99 }), { maxLength: 2 }),
  });
  return fc.array(sketch, { minLength: 1, maxLength: most }).map((sketches) =>
    sketches.map(({ waits, ...rest }, at) => {
      const range = tangled ? sketches.length : at;
      const after = range === 0 ? [] : waits.filter((n) => n < 60).map((n) => `t${n % range}`);
      return buildTask(at, { ...(rest satisfies TaskSketch), after });
    }),
  );
}

/** How long each task really takes, whatever was expected: retries included. */
export const arbitraryMinutes = fc.array(fc.integer({ min: 1, max: 60 }), {
  minLength: 12,
  maxLength: 12,
});
