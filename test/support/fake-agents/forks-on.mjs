// Starts processes that stay, more and more of them.
import { spawn } from "node:child_process";
import { setInterval } from "node:timers";

setInterval(() => spawn("sleep", ["300"], { stdio: "ignore", detached: true }), 10);
