// All slots busy, at the defaults? `npx tsx bench/defaults.ts [--scene NAME] [--cards N] [--latency real|none] [--json] [--keep]`
// The built program as `wavetrain start`, with a file that says no more than it has to, against a local GitHub in this process. Cards
// are made ready at once and every pull request is approved at once. `--cards N` is the scene with many short tasks.
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildApart } from "../build.ts";
import { goalsOf } from "./defaults/goals.ts";
import { measuresOf } from "./defaults/measures.ts";
import type { Measures } from "./defaults/measures.ts";
import { runScene } from "./defaults/run-scene.ts";
import { MANY, SCENES } from "./defaults/scene.ts";
import type { Scene } from "./defaults/scene.ts";
import { PACES } from "./defaults/town.ts";
import { tellGoal } from "./goal.ts";
import { tellDifferences } from "./tell-differences.ts";

const { values } = parseArgs({
  options: {
    scene: { type: "string" },
    cards: { type: "string" },
    latency: { type: "string", default: "none" },
    json: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
  },
});

const folder = await mkdtemp(join(tmpdir(), "wavetrain-defaults-"));
try {
  const pace = values.latency === "real" ? "real" : "none";
  if (values.latency !== pace)
    throw new Error(`--latency takes ${Object.keys(PACES).join(" or ")}`);
  const scenes = chosenScenes();
  const program = await buildApart(join(folder, "program"));
  for (const scene of scenes) {
    console.log(`# ${sceneWords(scene)}, latency ${pace}`);
    const seen = await runScene(scene, { program, folder, pace }, tellDifferences);
    report(scene, measuresOf(scene, seen));
  }
} finally {
  if (values.keep) console.log(`kept: ${folder}`);
  else await rm(folder, { recursive: true, force: true });
}
process.exit();

function chosenScenes(): readonly Scene[] {
  if (values.cards !== undefined) return [{ ...MANY, cards: Number(values.cards) }];
  if (values.scene === undefined) return SCENES;
  const chosen = [...SCENES, MANY].filter(({ name }) => name === values.scene);
  if (chosen.length > 0) return chosen;
  throw new Error(`--scene takes ${[...SCENES, MANY].map(({ name }) => name).join(", ")}`);
}

function sceneWords({ name, cards, pairs, agentMs, slots, repositories }: Scene): string {
  const conflicts = pairs === 0 ? "" : ` (${pairs} conflicting pairs)`;
  const places = repositories === 1 ? "" : ` in ${repositories} repositories`;
  return `${name}: ${cards} cards${conflicts}${places} × ${agentMs / 1000} s × ${slots} slots`;
}

function report(scene: Scene, found: Measures): void {
  for (const [name, value] of Object.entries(found)) {
    if (name !== "scene") console.log(`  ${name.padEnd(20)} ${valueText(value)}`);
  }
  console.log(`  load ${loadavg()[0]?.toFixed(1)} at the end`);
  const goals = goalsOf(scene, found);
  for (const { what, reached } of goals) tellGoal(what, reached);
  if (values.json) console.log(JSON.stringify({ ...found, goals }));
}

function valueText(value: unknown): string {
  if (typeof value !== "number") return "–";
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}
