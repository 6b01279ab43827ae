// Starts a grandchild in a session of its own whose parents are gone, as a daemon does; "bare" as the argument clears its environment.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import process from "node:process";
import { setInterval, setTimeout } from "node:timers";

const [step = "marked", role = "parent"] = process.argv.slice(2);
if (role === "daemon") {
  appendFileSync("pids", `${process.pid}\n`);
  setInterval(() => {}, 1000);
} else {
  const next = role === "parent" ? "child" : "daemon";
  spawn(process.execPath, [process.argv[1], step, next], {
    detached: true,
    stdio: "inherit",
    env: step === "bare" ? {} : process.env,
  }).unref();
  // As a bare daemon it stays a descendant for a while: a build server that is started at leisure.
  if (step === "bare") setTimeout(() => {}, role === "parent" ? 2500 : 1500);
}
