// How easy the house is to walk through: `npm run measure:house`; `-- --root PATH` measures another checkout (with its node_modules).
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { tellGoal } from "./goal.ts";
import { followCard } from "./house/follow-card.ts";
import type { CardsWay } from "./house/follow-card.ts";
import { measureTree } from "./house/measure-tree.ts";
import type { TreeMeasures } from "./house/measure-tree.ts";
import { readTree } from "./house/read-tree.ts";

type Measures = TreeMeasures & CardsWay;

/** Measured by this program, with `--root`, on the last commit before the house was rebuilt. */
const BEFORE: Measures = {
  files: 791,
  lines: 49_741,
  importedOnce: 363,
  smallImportedOnce: 126,
  widest: 67,
  looseFiles: 26,
  mutualFolders: 20,
  wholeDeps: 185,
  whatComments: 372,
  literalSpreads: 176,
  cardFiles: 371,
  cardFunctions: 2031,
  storeReads: 314,
  ticks: 96,
  trainDecisions: 22,
  webhookHops: 5,
};

interface Row {
  readonly what: string;
  readonly of: (measures: Measures) => number;
  /** The most that there should be. */
  readonly aim?: number;
}

const ROWS: readonly Row[] = [
  { what: "files in src", of: ({ files }) => files, aim: 520 },
  { what: "lines in src", of: ({ lines }) => lines },
  { what: "files with exactly one importer", of: (all) => all.importedOnce, aim: 220 },
  { what: "of them under 40 lines", of: (all) => all.smallImportedOnce, aim: 40 },
  { what: "files in the widest folder", of: ({ widest }) => widest, aim: 20 },
  { what: "loose files in src/", of: ({ looseFiles }) => looseFiles, aim: 1 },
  { what: "pairs of folders that import each other", of: (all) => all.mutualFolders, aim: 0 },
  { what: "files that a card passes from Ready to landed", of: (all) => all.cardFiles, aim: 300 },
  { what: "hops from a webhook to its tick", of: (all) => all.webhookHops, aim: 3 },
  { what: "functions on its way", of: ({ cardFunctions }) => cardFunctions },
  { what: "readings of the store on its way", of: ({ storeReads }) => storeReads },
  { what: "ticks on its way", of: ({ ticks }) => ticks },
  { what: "readings of the store a tick", of: readsPerTick, aim: 3 },
  { what: "decisions of the train on its way", of: ({ trainDecisions }) => trainDecisions },
  { what: "signatures with all of Deps", of: ({ wholeDeps }) => wholeDeps, aim: 0 },
  { what: 'comments that begin with "What"', of: ({ whatComments }) => whatComments, aim: 0 },
  { what: "literals that are spread", of: ({ literalSpreads }) => literalSpreads, aim: 0 },
];

function readsPerTick({ storeReads, ticks }: Measures): number {
  return Math.round((10 * storeReads) / Math.max(ticks, 1)) / 10;
}

const { values } = parseArgs({ options: { root: { type: "string" }, json: { type: "boolean" } } });
const root = resolve(values.root ?? ".");
const now: Measures = { ...measureTree(readTree(root)), ...(await followCard(root)) };
if (values.json === true) console.log(JSON.stringify(now, null, 2));
else print(now);
process.exit();

function print(measures: Measures): void {
  const width = Math.max(...ROWS.map(({ what }) => what.length));
  console.log(`${"".padEnd(width + 8)}${"before".padStart(9)}${"now".padStart(9)}`);
  for (const { what, of, aim } of ROWS) {
    const counts = [of(BEFORE), of(measures)].map((count) => String(count).padStart(9)).join("");
    const line = `${what.padEnd(width)}${counts}`;
    if (aim === undefined) console.log(`        ${line}`);
    else tellGoal(`${line}   at most ${aim}`, of(measures) <= aim);
  }
}
