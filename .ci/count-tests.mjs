// Names what was skipped and what failed, and counts, from vitest's JSON reports and their exit statuses (REPORT STATUS …). The
// line before the last is `N skipped`, the last `N passed, N failed`.
import { readFileSync } from "node:fs";

const RAN = (status) => status === "passed" || status === "failed";
const SKIPPED = (status) => !RAN(status);

const runs = pairsOf(process.argv.slice(2)).map(([path, status]) => {
  const report = read(path);
  const failed = report.testResults.flatMap(failuresOf);
  // A worker that died or an error outside of any test fails the run without failing a test.
  if (failed.length === 0 && (status !== "0" || report.numPassedTests === 0)) {
    failed.push("the run as a whole: see the errors above");
  }
  const [ran, skipped] = [namesOf(report, RAN), namesOf(report, SKIPPED)];
  return { failed, passed: report.numPassedTests, ran, skipped };
});
// One run may leave to another what takes long.
const ran = new Set(runs.flatMap((run) => run.ran));
const skipped = runs.flatMap((run) => run.skipped).filter((name) => !ran.has(name));
const failed = runs.flatMap((run) => run.failed);
const passed = runs.reduce((sum, run) => sum + run.passed, 0);
if (skipped.length > 0) console.log(`\nskipped:\n${skipped.map((name) => `  ${name}\n`).join("")}`);
if (failed.length > 0) console.log(`\nfailed:\n${failed.map((name) => `  ${name}\n`).join("")}`);
console.log(`${skipped.length} skipped`);
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

function pairsOf([path, status, ...rest]) {
  return path === undefined ? [] : [[path, status], ...pairsOf(rest)];
}

function read(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    console.log(`no report of the tests: ${error.message}`);
    return { numPassedTests: 0, testResults: [] };
  }
}

function namesOf({ testResults }, isWanted) {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => isWanted(status))
      .map(({ fullName }) => `${fileOf(name)}: ${fullName}`),
  );
}

function fileOf(name) {
  return name.slice(process.cwd().length + 1);
}

/** A file that cannot be loaded has no tests, or had some that passed before it broke. */
function failuresOf({ name, status, message, assertionResults }) {
  const file = fileOf(name);
  const tests = assertionResults.filter((test) => test.status === "failed");
  if (tests.length > 0) {
    return tests.map((test) => line(`${file}: ${test.fullName}`, test.failureMessages[0]));
  }
  return status === "passed" ? [] : [line(`${file}: the file itself`, message)];
}

function line(name, message = "") {
  const [first = ""] = message.split("\n");
  return `${name}: ${first.slice(0, 200)}`;
}
