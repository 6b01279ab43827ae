import { fileURLToPath } from "node:url";
import { CONFLICT_CASES, runConflictCase } from "./planner/conflict-cases.ts";
import { conflictSection } from "./planner/conflict-section.ts";
import { goalText } from "./planner/report.ts";

// Run with `npx tsx bench/planner.ts`. Each case runs this file again, in a process of its own.
const [name] = process.argv.slice(2);
const ownCase = name === undefined ? undefined : CONFLICT_CASES[name];

if (ownCase) process.send?.(runConflictCase(ownCase));
else {
  const script = fileURLToPath(import.meta.url);
  // Further sections, such as planning and dispatch, go after this one.
  const goals = [...(await conflictSection(script))];
  for (const goal of goals) console.log(goalText(goal));
  if (goals.some(({ isMet }) => !isMet)) process.exitCode = 1;
}
