// This runs git for a larger process: to start a program, a process is copied first, and a small one is copied in a tenth of the time.
import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import process, { env as inherited } from "node:process";

process.on("message", ({ id, args, cwd, env, input }) => {
  const child = spawn("git", args, { cwd, env: { ...inherited, ...env } });
  const collect = (stream) => {
    const chunks = [];
    stream.on("data", (chunk) => chunks.push(chunk));
    return () => Buffer.concat(chunks);
  };
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  child.on("error", (error) => process.send({ id, problem: error.message }));
  child.on("close", (exitCode) =>
    process.send({ id, exitCode, stdout: stdout(), stderr: stderr() }),
  );
  // Git may answer and leave before it has read everything.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
});

process.on("disconnect", () => process.exit());
// The process that asks for git gets the same signal and still asks for more while it ends, so this one ignores it.
process.on("SIGINT", () => {});
