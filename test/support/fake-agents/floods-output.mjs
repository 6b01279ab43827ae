// Writes without end, by two processes.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import process from "node:process";

const child = spawn("yes", ["a line of output that nobody reads"], { stdio: "inherit" });
appendFileSync("pids", `${process.pid}\n${child.pid}\n`);
process.on("SIGINT", () => {});
