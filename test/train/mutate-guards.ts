import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { GUARDS } from "./guards.ts";
import type { Guard } from "./guards.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const RUNS = process.env["TRAIN_RUNS"] ?? "1500";

/** Takes each guard out of a copy of the source and shows which property then fails. Prints a table; exits 1 when a guard is not missed. */
async function main(): Promise<number> {
  const only = process.argv[2];
  const copy = await mkdtemp(join(tmpdir(), "wavetrain-guards-"));
  try {
    for (const name of ["src", "test", "package.json", "tsconfig.json", "vitest.config.ts"]) {
      await cp(join(ROOT, name), join(copy, name), { recursive: true });
    }
    await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
    say("| guard | removed from | what fails without it |\n| --- | --- | --- |");
    let unmissed = 0;
    for (const guard of GUARDS.filter(({ name }) => only === undefined || name.includes(only))) {
      const failure = await failureWithout(guard, copy);
      if (failure === undefined) unmissed += 1;
      say(`| ${guard.name} | \`${guard.file}\` | ${failure ?? "NOTHING"} |`);
    }
    return unmissed === 0 ? 0 : 1;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function failureWithout(guard: Guard, copy: string): Promise<string | undefined> {
  const path = join(copy, guard.file);
  const text = await readFile(path, "utf8");
  if (!text.includes(guard.find)) throw new Error(`${guard.file} has no "${guard.find}"`);
  await writeFile(path, text.replace(guard.find, guard.replace));
  try {
    const { stdout, stderr, status } = spawnSync(
      "npx",
      ["vitest", "run", guard.test ?? "test/train/model/model.test.ts"],
      { cwd: copy, encoding: "utf8", env: { ...process.env, TRAIN_RUNS: RUNS, NO_COLOR: "1" } },
    );
    return status === 0 ? undefined : reasonIn(`${stdout}\n${stderr}`);
  } finally {
    await writeFile(path, text);
  }
}

function reasonIn(output: string): string {
  const broken = /broken invariant ([^\n(]+)/.exec(output)?.[1]?.trim();
  const caused = /(?:Caused by: )?(?:\w*Error): ([^\n]+)/.exec(output)?.[1];
  return broken ?? caused ?? "a test fails";
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exitCode = await main();
