import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../../../local-github/wire/seeded-random.ts";
import type { Sha } from "../../../../src/domain/ids.ts";
import { SEED, times } from "../../../support/proofs.ts";
import { commitFiles, link, program, submodule, type TreeEntry } from "../commit-files.ts";
import { createGitSandbox, REPO, type GitSandbox } from "../git-sandbox.ts";

const ROUNDS = times({ test: 15, ci: 200, long: 3000 });
/** Sorted as git does it: files and folders of the same name get in each other's way all the time. */
const NAMES = ["a", "a.b", "b"];
const PATHS = NAMES.flatMap((one) => [
  one,
  ...NAMES.flatMap((two) => [`${one}/${two}`, ...NAMES.map((three) => `${one}/${two}/${three}`)]),
]);
const ENTRIES: readonly TreeEntry[] = [
  "one",
  "two",
  program("one"),
  link("b"),
  link("../b"),
  submodule("1"),
];

type Tree = ReadonlyMap<string, TreeEntry>;

let sandbox: GitSandbox;
let mirror: string;
beforeAll(async () => {
  sandbox = await createGitSandbox();
  mirror = join(sandbox.dataDir, "mirrors/octo/shop.git");
  await sandbox.git.fetchBranch(REPO, "main");
});
afterAll(() => sandbox.remove());

function isInTheWay(one: string, other: string): boolean {
  return one !== other && (one.startsWith(`${other}/`) || other.startsWith(`${one}/`));
}

function drawTree(random: () => number): Tree {
  const tree = new Map<string, TreeEntry>();
  for (const path of PATHS.toSorted(() => random() - 0.5)) {
    if (random() < 0.6 || [...tree.keys()].some((other) => isInTheWay(path, other))) continue;
    const entry = ENTRIES[Math.floor(random() * ENTRIES.length)];
    if (entry !== undefined) tree.set(path, entry);
  }
  return tree;
}

/** A change of the tree, or another tree altogether. */
function drawChange(tree: Tree, random: () => number): Tree {
  if (random() < 0.3) return drawTree(random);
  const kept = [...tree].filter(() => random() < 0.8);
  const added = [...drawTree(random)].filter(
    ([path]) => random() < 0.3 && !kept.some(([other]) => isInTheWay(path, other)),
  );
  return new Map([...kept, ...added]);
}

/** What the port promises, said once more. */
function expectedOf(commit: Tree, from: Tree, matches: (path: string) => boolean): Tree {
  const taken = [...from].filter(([path]) => matches(path));
  const left = [...commit].filter(
    ([path]) => !matches(path) && !taken.some(([other]) => isInTheWay(path, other)),
  );
  return new Map([...left, ...taken]);
}

async function treeOf(commit: Sha): Promise<string> {
  return sandbox.git.treeOf(REPO, commit);
}

describe("withFilesOf", () => {
  it(`has exactly what it should of ${ROUNDS} drawn commits`, { timeout: 3_600_000 }, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const random = seededRandom(SEED + round);
      const judge = drawTree(random);
      const change = drawChange(judge, random);
      const matching = new Set(PATHS.filter(() => random() < 0.5));
      const matches = (path: string): boolean => matching.has(path);
      const from = await commitFiles(mirror, "from", judge);
      const commit = await commitFiles(mirror, "work", change);
      const same = await commitFiles(mirror, "same", expectedOf(change, judge, matches));
      const judged = await sandbox.git.withFilesOf(REPO, { commit, from, matches });
      const story = `seed ${SEED + round}`;
      expect(await treeOf(judged), story).toBe(await treeOf(same));
      expect(judged === commit, story).toBe((await treeOf(same)) === (await treeOf(commit)));
      const again = { commit: judged, from, matches };
      expect(await sandbox.git.withFilesOf(REPO, again), story).toBe(judged);
    }
  });
});
