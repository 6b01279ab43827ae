import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pick, seededRandom } from "../../bench/schedule/random.ts";
import type { Random } from "../../bench/schedule/random.ts";
import { instant } from "../../src/domain/ids.ts";
import type { TaskId } from "../../src/domain/ids.ts";
import type { PlannableTask } from "../../src/domain/plan.ts";
import { planBacklog } from "../../src/planner/plan-tasks.ts";
import { simulate } from "../../src/planner/simulate.ts";
import { prepareBacklog } from "../../src/planner/waves/backlog.ts";
import type { Backlog } from "../../src/planner/waves/backlog.ts";
import { times } from "../support/proofs.ts";
import { buildTask } from "./build-task.ts";
import { ScratchRepository } from "./scratch-repository.ts";
import type { Edits } from "./scratch-repository.ts";

const REPOSITORIES = times({ test: 6, ci: 26, long: 260 });
const SLOTS = 4;
const DIRECTORIES = ["api", "ui", "db"];
const FILES = ["one.txt", "two.txt", "three.txt"];

let repository: ScratchRepository;
beforeEach(() => (repository = new ScratchRepository()));
afterEach(() => {
  repository.remove();
});

function firstFiles(): Edits {
  return new Map(
    DIRECTORIES.flatMap((dir) =>
      FILES.map((file) => [`${dir}/${file}`, `${dir} ${file}\n${"line\n".repeat(20)}`] as const),
    ),
  );
}

/** Some edit a file or two, some own a directory, some move a directory's files away, some add one to it. */
function drawTask(order: number, random: Random): PlannableTask {
  const dir = pick(random, DIRECTORIES);
  const file = `${dir}/${pick(random, FILES)}`;
  const files = pick(random, [
    [file],
    [file, `${pick(random, DIRECTORIES)}/${pick(random, FILES)}`],
    [`${dir}/**`],
    [`${dir}/one.txt`, `${dir}/two.txt`, `${dir}/three.txt`, `moved-${order}/`],
    [`${dir}/added-${order}.txt`],
  ]);
  const reads = random() < 0.3 ? [`${pick(random, DIRECTORIES)}/${pick(random, FILES)}`] : [];
  const after = order > 1 && random() < 0.2 ? [`t${1 + Math.floor(random() * (order - 1))}`] : [];
  return buildTask(order, { files, reads, after, minutes: 1 + Math.floor(random() * 9) });
}

/** What the task's agent does: a function of the files that it may see, and of nothing else. */
function editsBy(task: PlannableTask, seen: ReadonlyMap<string, string>): Edits {
  const owns = (path: string): boolean =>
    task.claims.some(({ mode, pattern }) => mode === "write" && covers(pattern, path));
  const visible = [...seen].filter(([path]) =>
    task.claims.some(({ pattern }) => covers(pattern, path)),
  );
  const mark = createHash("sha1")
    .update(JSON.stringify([task.id, visible]))
    .digest("hex");
  const home = task.claims.find(({ pattern }) => pattern.endsWith("/"))?.pattern;
  const edits = new Map<string, string | undefined>();
  for (const [path, content] of seen) {
    if (!owns(path)) continue;
    const changed = content.replace("line\n", `${mark}\n`);
    edits.set(path, home === undefined ? changed : undefined);
    if (home !== undefined) edits.set(`${home}${path.replace("/", "-")}`, content);
  }
  for (const { mode, pattern } of task.claims) {
    if (mode === "write" && pattern.includes("added") && !seen.has(pattern))
      edits.set(pattern, `${mark}\n`);
  }
  return edits;
}

function covers(pattern: string, path: string): boolean {
  return (
    pattern === path || (/\/(\*\*)?$/.test(pattern) && path.startsWith(pattern.replace("**", "")))
  );
}

const taskOf = (id: TaskId, backlog: Backlog): PlannableTask =>
  backlog.tasks[backlog.positions.get(id)!]!;

function runSerially(order: readonly TaskId[], backlog: Backlog, base: string): string {
  return order.reduce(
    (main, id) => repository.commit(editsBy(taskOf(id, backlog), repository.filesOf(main)), main),
    base,
  );
}

/** Every task starts from the base branch as it is then; its commit is merged when it ends. */
function runInParallel(
  backlog: Backlog,
  base: string,
  options: { order: readonly TaskId[]; random: Random },
) {
  const { schedule } = simulate(backlog, {
    slots: SLOTS,
    from: instant(0),
    planOrder: options.order,
    actualMs: () => 1000 * (1 + Math.floor(options.random() * 600)),
  });
  const moments = schedule.flatMap(({ id, startMs, endMs }) => [
    { id, ms: startMs, isLanding: false },
    { id, ms: endMs, isLanding: true },
  ]);
  moments.sort((a, b) => a.ms - b.ms || Number(b.isLanding) - Number(a.isLanding));
  const changes = new Map<TaskId, string>();
  let main = base;
  for (const { id, isLanding } of moments) {
    if (isLanding) main = repository.merge(main, changes.get(id)!);
    else
      changes.set(
        id,
        repository.commit(editsBy(taskOf(id, backlog), repository.filesOf(main)), main),
      );
  }
  const overlaps = schedule.filter((a) =>
    schedule.some((b) => b.startMs < a.startMs && a.startMs < b.endMs),
  );
  return { main, overlaps: overlaps.length };
}

describe("a parallel run on real git", () => {
  let overlapping = 0;

  it.each(Array.from({ length: REPOSITORIES }, (_, at) => at + 1))(
    "ends with the tree of the serial run in plan order (repository %i)",
    (seed) => {
      const random = seededRandom(seed);
      const tasks = Array.from({ length: 8 }, (_, at) => drawTask(at + 1, random));
      const backlog = prepareBacklog(tasks, { slots: SLOTS });
      const { order } = planBacklog(backlog, { slots: SLOTS });
      const base = repository.commit(firstFiles(), undefined);
      const parallel = runInParallel(backlog, base, { order, random });
      overlapping += parallel.overlaps;
      expect(repository.treeOf(parallel.main)).toBe(
        repository.treeOf(runSerially(order, backlog, base)),
      );
    },
  );

  it("was parallel", () => {
    expect(overlapping).toBeGreaterThan(2 * REPOSITORIES);
  });

  it("needs git not to follow moved directories", () => {
    const base = repository.commit(firstFiles(), undefined);
    const content = repository.filesOf(base);
    const moved = FILES.flatMap((file) => [
      [`api/${file}`, undefined] as const,
      [`core/${file}`, content.get(`api/${file}`)] as const,
    ]);
    const main = repository.commit(new Map(moved), base);
    const added = repository.commit(new Map([["api/new.txt", "new\n"]]), base);
    expect(() => repository.merge(main, added, [])).toThrow();
    expect(repository.filesOf(repository.merge(main, added)).has("api/new.txt")).toBe(true);
  });
});
