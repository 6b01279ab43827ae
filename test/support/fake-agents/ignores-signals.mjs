// Answers no polite request to end, and starts a child that does not either.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import process from "node:process";
import { setInterval } from "node:timers";

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
const child = spawn("sh", ["-c", "trap '' INT TERM HUP; while :; do sleep 1; done"], {
  stdio: "inherit",
});
appendFileSync("pids", `${process.pid}\n${child.pid}\n`);
setInterval(() => {}, 1000);
