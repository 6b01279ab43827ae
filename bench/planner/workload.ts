import { parseClaim } from "../../src/domain/claim/parse-claim.ts";
import type { Claim } from "../../src/domain/claim.ts";
import type { ClaimingTask } from "../../src/planner/conflict-task.ts";

const PATTERNS_PER_TASK = 10;

/** Small, seeded, and the same everywhere. */
export function randomBelow(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** A repository of modules; each task works in one or two of them, and some patterns reach further. */
export function realisticTasks(count: number, modules: number): ClaimingTask[] {
  const below = randomBelow(count + modules);
  return Array.from({ length: count }, () => {
    const homes = [below(modules), below(modules)];
    return task(
      Array.from({ length: PATTERNS_PER_TASK }, (_, i) =>
        realisticPattern(below, homes[i % 4 === 3 ? 1 : 0] ?? 0),
      ),
    );
  });
}

const FOLDERS = ["api", "auth", "core", "db", "hooks", "jobs", "models", "routes", "ui", "views"];
const ENDINGS = ["ts", "tsx", "test.ts", "css", "json", "md"];

function realisticPattern(below: (limit: number) => number, home: number): string {
  const folder = FOLDERS[below(FOLDERS.length)] ?? "";
  const ending = ENDINGS[below(ENDINGS.length)] ?? "";
  const name = `${folder}-${below(400)}`;
  const root = `packages/module-${home}`;
  const kind = below(1000);
  if (kind < 600) return `${root}/src/${folder}/${name}.${ending}`;
  if (kind < 700) return `${root}/src/${folder}/${name}*.${ending}`;
  if (kind < 760) return `${root}/src/${folder}/{${name},${name}-view}.${ending}`;
  if (kind < 820) return `read: ${root}/src/${folder}/*.${ending}`;
  if (kind < 880) return `${root}/test/**/${name}.${ending}`;
  if (kind < 930) return `${root}/src/${folder}/${name}/`;
  if (kind < 960) return `${root}/src/**/[a-m]*-${below(400)}.${ending}`;
  if (kind < 999) return `docs/${folder}/${name}.md`;
  return `**/__fixtures__/${name}.${ending}`;
}

/** Every pattern starts anywhere, so that no directory separates them. */
export function anywhereTasks(count: number, name: (i: number) => string): ClaimingTask[] {
  return Array.from({ length: count }, (_, i) =>
    task(
      Array.from(
        { length: PATTERNS_PER_TASK },
        (_unused, j) => `**/${name(i * PATTERNS_PER_TASK + j)}`,
      ),
    ),
  );
}

/** Patterns on which matchers that try every way take exponential time. */
export function manyStarsTasks(count: number): ClaimingTask[] {
  return Array.from({ length: count }, (_, i) =>
    task(
      Array.from(
        { length: PATTERNS_PER_TASK },
        (_unused, j) => `${"*a".repeat(25)}${"a".repeat(i % 50)}${j}*b`,
      ),
    ),
  );
}

function task(lines: readonly string[]): ClaimingTask {
  return { claims: lines.map(claim), exclusive: false, parallelSafe: true };
}

function claim(line: string): Claim {
  const parsed = parseClaim(line);
  if (!parsed.ok) throw new Error(`${line}: ${parsed.error.reason}`);
  return parsed.value;
}
