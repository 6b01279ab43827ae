// Replaces itself by new processes for as long as any of them may run.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import process from "node:process";
import { setTimeout } from "node:timers";

appendFileSync("pids", `${process.pid}\n`);
const generation = Number(process.argv[2] ?? 0);
const next = () =>
  spawn(process.execPath, [process.argv[1], String(generation + 1)], {
    detached: generation % 2 === 0,
    stdio: "inherit",
  }).unref();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, next);
next();
// The first one stays, so that the run goes on; the others make room for the next.
setTimeout(() => {}, generation === 0 ? 60_000 : 200);
