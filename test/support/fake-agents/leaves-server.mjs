// Ends well and at once, but leaves a server running that holds its output open.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import process from "node:process";

const code = "require('node:http').createServer().listen(0, '127.0.0.1')";
const server = spawn(process.execPath, ["-e", code], { detached: true, stdio: "inherit" });
appendFileSync("pids", `${server.pid}\n`);
server.unref();
process.stdout.write("done\n");
