import { fileURLToPath } from "node:url";
import { CONFLICT_CASES, runConflictCase } from "./planner/conflict-cases.ts";
import { conflictSection } from "./planner/conflict-section.ts";
import { PLAN_CASES, planSection, runPlanCase } from "./planner/plan-section.ts";
import { goalText } from "./planner/report.ts";

// Run with `npx tsx bench/planner.ts`. Each case runs this file again, in a process of its own.
const [name = ""] = process.argv.slice(2);
const conflictCase = CONFLICT_CASES[name];
const planCase = PLAN_CASES[name];

if (conflictCase) process.send?.(runConflictCase(conflictCase));
else if (planCase) process.send?.(runPlanCase(planCase));
else {
  const script = fileURLToPath(import.meta.url);
  const goals = [...(await conflictSection(script)), ...(await planSection(script))];
  for (const goal of goals) console.log(goalText(goal));
  if (goals.some(({ isMet }) => !isMet)) process.exitCode = 1;
}
