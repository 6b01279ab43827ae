import type { Claim } from "../../src/domain/claim/claim.ts";
import { parseClaim } from "../../src/domain/claim/parse-claim.ts";
import type { ClaimingTask } from "../../src/planner/conflicts/conflict-task.ts";
import { pick, seededRandom } from "../schedule/random.ts";
import type { Random } from "../schedule/random.ts";

const PATTERNS_PER_TASK = 10;
const FOLDERS = ["api", "auth", "core", "db", "hooks", "jobs", "models", "routes", "ui", "views"];
const ENDINGS = ["ts", "tsx", "test.ts", "css", "json", "md"];
const NAMES_PER_FOLDER = 400;

/** A repository of modules; each task works in one or two of them, and some patterns reach further. */
export function realisticTasks(count: number, modules: number): ClaimingTask[] {
  const random = seededRandom(count + modules);
  const module = (): number => Math.floor(random() * modules);
  return Array.from({ length: count }, () => {
    const [home, second] = [module(), module()];
    return task((i) => realisticPattern(random, `packages/module-${i % 4 === 3 ? second : home}`));
  });
}

interface Place {
  readonly root: string;
  readonly folder: string;
  readonly name: string;
  readonly ending: string;
}

/** Of a thousand patterns, how many look like this. */
const SHAPES: readonly (readonly [share: number, write: (place: Place) => string])[] = [
  [600, ({ root, folder, name, ending }) => `${root}/src/${folder}/${name}.${ending}`],
  [100, ({ root, folder, name, ending }) => `${root}/src/${folder}/${name}*.${ending}`],
  [
    60,
    ({ root, folder, name, ending }) => `${root}/src/${folder}/{${name},${name}-view}.${ending}`,
  ],
  [60, ({ root, folder, ending }) => `read: ${root}/src/${folder}/*.${ending}`],
  [60, ({ root, name, ending }) => `${root}/test/**/${name}.${ending}`],
  [50, ({ root, folder, name }) => `${root}/src/${folder}/${name}/`],
  [30, ({ root, name, ending }) => `${root}/src/**/[a-m]*${name}.${ending}`],
  [39, ({ folder, name }) => `docs/${folder}/${name}.md`],
  [1, ({ name, ending }) => `**/__fixtures__/${name}.${ending}`],
];

function realisticPattern(random: Random, root: string): string {
  const folder = pick(random, FOLDERS);
  const name = `${folder}-${Math.floor(random() * NAMES_PER_FOLDER)}`;
  const place = { root, folder, name, ending: pick(random, ENDINGS) };
  let left = random() * 1000;
  const shape = SHAPES.find(([share]) => (left -= share) < 0);
  return shape ? shape[1](place) : name;
}

/** Every pattern starts anywhere, so that no directory separates them. */
export function anywhereTasks(count: number, name: (i: number) => string): ClaimingTask[] {
  return Array.from({ length: count }, (_, i) =>
    task((j) => `**/${name(i * PATTERNS_PER_TASK + j)}`),
  );
}

/** Patterns on which matchers that try every way take exponential time. */
export function manyStarsTasks(count: number): ClaimingTask[] {
  return Array.from({ length: count }, (_, i) =>
    task((j) => `${"*a".repeat(25)}${"a".repeat(i % 50)}${j}*b`),
  );
}

function task(line: (i: number) => string): ClaimingTask {
  const claims = Array.from({ length: PATTERNS_PER_TASK }, (_, i) => claim(line(i)));
  return { claims, exclusive: false, parallelSafe: true };
}

function claim(line: string): Claim {
  const parsed = parseClaim(line);
  if (!parsed.ok) throw new Error(`${line}: ${parsed.error.reason}`);
  return parsed.value;
}
