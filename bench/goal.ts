/** Says whether a goal was reached; undefined where it was not measured. A missed goal is the program's exit code. */
export function tellGoal(what: string, reached: boolean | undefined): void {
  if (reached === false) process.exitCode = 1;
  console.log(`  ${reached === undefined ? "SKIP" : reached ? "PASS" : "FAIL"}  ${what}`);
}
