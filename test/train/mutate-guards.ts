// Takes each guard of the train out of a copy of the source and shows what fails without it:
// `npx tsx test/train/mutate-guards.ts [part of a name] [--write]`. `--write` puts the table into docs/train.md.
import { spawnSync } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { format } from "prettier";
import { flattenDiagnosticMessageText, transpileModule } from "typescript";
import { GUARDS } from "./guards.ts";
import type { Guard } from "./guards.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const RUNS = process.env["TIMES"] ?? "1500";
const MORE = String(10 * Number(RUNS));
const MODEL = "test/train/model/model.proof.test.ts";
const PAGE = join(ROOT, "docs/train.md");
const [BEGIN, END] = ["<!-- guards: begin -->", "<!-- guards: end -->"];
/** Ten times what a run that fails nothing takes. */
const TIMEOUT_MS = 10 * 60_000;

/** Only `missed` counts: everything else says nothing of whether a property needs the guard. */
type Finding =
  | { readonly kind: "missed"; readonly test: string; readonly why: string }
  | {
      readonly kind: "not missed" | "does not compile" | "timed out" | "crashed";
      readonly why: string;
    };

interface Report {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Exits 1 when a guard is not missed by anything that counts. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { write: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const guards = GUARDS.filter(({ name }) => name.includes(positionals[0] ?? ""));
  const copy = await copySource();
  try {
    checkUnchanged(guards, copy);
    const rows: string[] = [];
    let unmissed = 0;
    for (const guard of guards) {
      const finding = await findingWithout(guard, copy);
      if (finding.kind !== "missed") unmissed += 1;
      rows.push(rowOf(guard, finding));
      say(rows.at(-1) ?? "");
    }
    if (values.write) await writeTable(rows);
    return unmissed === 0 ? 0 : 1;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function copySource(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "wavetrain-guards-"));
  for (const name of ["src", "test", "package.json", "tsconfig.json", "vitest.config.ts"]) {
    await cp(join(ROOT, name), join(copy, name), { recursive: true });
  }
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/** A test that fails with all guards in place would fail without any of them too. */
function checkUnchanged(guards: readonly Guard[], copy: string): void {
  for (const test of new Set(guards.map(testOf))) {
    const { kind, why } = findingIn(runTest(test, copy));
    if (kind !== "not missed") throw new Error(`${test} fails with all guards in place: ${why}`);
  }
}

async function findingWithout(guard: Guard, copy: string): Promise<Finding> {
  const path = join(copy, guard.file);
  const text = await readFile(path, "utf8");
  if (text.split(guard.find).length !== 2) {
    throw new Error(`${guard.file} does not have "${guard.find}" exactly once`);
  }
  const mutated = text.replace(guard.find, () => guard.replace);
  const [broken] = transpileModule(mutated, { reportDiagnostics: true }).diagnostics ?? [];
  if (broken !== undefined) {
    return { kind: "does not compile", why: flattenDiagnosticMessageText(broken.messageText, " ") };
  }
  await writeFile(path, mutated);
  try {
    const finding = findingIn(runTest(testOf(guard), copy));
    // What is missed only in one schedule of thousands needs more of them.
    return finding.kind === "not missed" ? findingIn(runTest(testOf(guard), copy, MORE)) : finding;
  } finally {
    await writeFile(path, text);
  }
}

function runTest(test: string, copy: string, runs = RUNS): string | undefined {
  const { stdout, error } = spawnSync("npx", ["vitest", "run", test, "--reporter=json"], {
    cwd: copy,
    encoding: "utf8",
    timeout: TIMEOUT_MS,
    maxBuffer: 1 << 28,
    env: { ...process.env, TIMES: runs, TRAIN_SHRINK: "off", NO_COLOR: "1" },
  });
  return error === undefined ? stdout : undefined;
}

function findingIn(output: string | undefined): Finding {
  if (output === undefined) return { kind: "timed out", why: `more than ${TIMEOUT_MS} ms` };
  const start = output.indexOf('{"numTotalTestSuites"');
  if (start < 0) return { kind: "crashed", why: firstLine(output) };
  const { testResults } = JSON.parse(output.slice(start)) as Report;
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  if (tests.length === 0) return { kind: "crashed", why: firstLine(testResults[0]?.message ?? "") };
  const failed = tests.find(({ status }) => status === "failed");
  if (failed === undefined) return { kind: "not missed", why: `${tests.length} tests pass` };
  return judge(failed.fullName, failed.failureMessages.join("\n"));
}

/** A property or an expectation that fails counts; a mistake of the mutation, or one that never ends, does not. */
function judge(test: string, message: string): Finding {
  if (message.includes("Test timed out")) return { kind: "timed out", why: test };
  const invariant = /broken invariant ([^\n]+)/.exec(message)?.[1];
  if (invariant !== undefined) return { kind: "missed", test, why: invariant };
  const mistake = /(?:TypeError|ReferenceError|SyntaxError): [^\n]+/.exec(message)?.[0];
  if (mistake !== undefined) return { kind: "crashed", why: mistake };
  return { kind: "missed", test, why: firstLine(message.replace(/^AssertionError: /, "")) };
}

function rowOf({ name, file }: Guard, finding: Finding): string {
  const proof =
    finding.kind === "missed"
      ? `${cell(finding.test.replace(/^.*interleavings.*$/, "the model"))} | ${cell(finding.why)}`
      : `**${finding.kind}** | ${cell(finding.why)}`;
  return `| ${name} | \`${file.replace("src/", "")}\` | ${proof} |`;
}

async function writeTable(rows: readonly string[]): Promise<void> {
  const page = await readFile(PAGE, "utf8");
  const head = [
    "| guard | in | test that fails without it | what it says |",
    "| --- | --- | --- | --- |",
  ];
  const [before = "", rest = ""] = page.split(BEGIN);
  const after = rest.split(END)[1] ?? "";
  const table = [...head, ...rows].join("\n");
  const text = `${before}${BEGIN}\n\n${table}\n\n${END}${after}`;
  await writeFile(
    PAGE,
    await format(text, { parser: "markdown", printWidth: 130, proseWrap: "preserve" }),
  );
}

function testOf({ test }: Guard): string {
  return test ?? MODEL;
}

function firstLine(text: string): string {
  return text.split("\n").find((line) => line.trim() !== "") ?? "";
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").slice(0, 120);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exitCode = await main();
