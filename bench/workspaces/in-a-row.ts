import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tellGoal } from "../goal.ts";
import { AUTHOR, gitWith, REPO, type Scene } from "./scene.ts";

const MOST_CPU = 1.3;

/** The same number of workspaces in a row and at once: nothing may fail, and little more may be computed. */
export async function printInARow(scene: Scene): Promise<void> {
  const many = scene.files > 20_000 ? 4 : 16;
  const title = `${many} workspaces opened, committed and closed`;
  const begun = performance.now();
  const inARow = await costOf(await together(scene, many, "in a row"));
  if (performance.now() * 2 - begun > scene.until) {
    tellGoal(title, undefined);
    return;
  }
  const atOnce = await costOf(await together(scene, many, "at once"));
  console.log(`\n${title}`);
  console.log(`  in a row  ${inARow.wallMs.toFixed(0)} ms, ${inARow.cpuMs.toFixed(0)} ms of CPU`);
  console.log(`  at once   ${atOnce.wallMs.toFixed(0)} ms, ${atOnce.cpuMs.toFixed(0)} ms of CPU`);
  const ratio = atOnce.cpuMs / inARow.cpuMs;
  const words = `at most ${MOST_CPU} times the CPU at once (${ratio.toFixed(2)}), none failed`;
  tellGoal(words, ratio <= MOST_CPU);
}

async function together(
  scene: Scene,
  many: number,
  how: "in a row" | "at once",
): Promise<() => Promise<void>> {
  const git = await gitWith(scene, 0);
  const one = async (index: number): Promise<void> => {
    console.error(`… ${how}: ${index + 1} of ${many}`);
    const id = `bench-${index}`;
    const workspace = await git.openWorkspace({ repo: REPO, id, base: scene.sample.base });
    await writeFile(join(workspace.path, `${id}.ts`), id);
    await git.commitWorkspace(workspace, { message: id, author: AUTHOR });
    await git.closeWorkspace(workspace);
  };
  const indices = Array.from({ length: many }, (_, index) => index);
  return async () => {
    if (how === "at once") await Promise.all(indices.map(one));
    else for (const index of indices) await one(index);
  };
}

async function costOf(work: () => Promise<void>): Promise<{ wallMs: number; cpuMs: number }> {
  const [wall, cpu] = [performance.now(), await cpuMs()];
  await work();
  return { wallMs: performance.now() - wall, cpuMs: (await cpuMs()) - cpu };
}

/** Of this process and the children that it has waited for; Linux counts in hundredths of a second. */
async function cpuMs(): Promise<number> {
  const stat = await readFile("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
}
