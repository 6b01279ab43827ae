// Workspaces side by side with what others do:
// `npx tsx bench/workspaces/main.ts [--files 200,10000,100000] [--rounds 5] [--minutes 10]`.
// A size takes no longer than the minutes: what would is left out, and says so. Repositories are made once and kept in the
// temporary folder. Progress goes to standard error; a goal that was missed is exit code 1.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { printCollectChange } from "./collect-change.ts";
import { printInARow } from "./in-a-row.ts";
import { printIntegrateChange } from "./integrate-change.ts";
import { printOpenAtOnce } from "./open-at-once.ts";
import { printOpenOne } from "./open-one.ts";
import { createSampleRepository } from "./sample-repository.ts";

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "200,10000" },
    rounds: { type: "string", default: "5" },
    minutes: { type: "string", default: "10" },
  },
});
for (const files of values.files.split(",").map(Number)) await printSize(files);

async function printSize(files: number): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "wavetrain-bench-"));
  try {
    const sample = await createSampleRepository(root, files);
    const rounds = files > 20_000 ? 1 : Number(values.rounds);
    const until = performance.now() + Number(values.minutes) * 60_000;
    const scene = { root, files, sample, rounds, until };
    console.log(`\n# ${files} files, median of ${rounds}`);
    await printOpenOne(scene);
    await printCollectChange(scene);
    await printIntegrateChange(scene);
    await printInARow(scene);
    await printOpenAtOnce(scene);
  } finally {
    await rm(root, { recursive: true });
  }
}
