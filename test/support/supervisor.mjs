// A program that runs one command, to be killed in the middle: `node --import tsx supervisor.mjs folder request.json`.
import { readFileSync } from "node:fs";
import process from "node:process";
import { createProcesses } from "../../src/adapters/process/create-processes.ts";

const [folder, request] = process.argv.slice(2);
const { signal } = new globalThis.AbortController();
const processes = createProcesses({ folder });
const end = await processes.run({ ...JSON.parse(readFileSync(request, "utf8")), signal });
process.stdout.write(JSON.stringify(end));
