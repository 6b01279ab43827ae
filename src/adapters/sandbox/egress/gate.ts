/**
 * This is a separate program around a sandboxed command: `gate folder hosts command…`. It keeps the only way out of the sandbox
 * open as long as the command runs, even if the server that started it ends. It ends with the command, and the command ends with
 * it.
 */
import { spawn } from "node:child_process";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { writeSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { constants, networkInterfaces } from "node:os";
import { parseHostRule } from "../../../domain/network/network.ts";
import { createEgressProxy, createRefusals } from "./egress-proxy.ts";
import { SOCKET } from "./relay.ts";

const STDERR = 2;
const CANNOT_START = 127;

async function main([folder = "", hosts = "[]", program = "", ...args]: readonly string[]) {
  const cwd = process.cwd();
  // The gate ignores these signals: the command gets them itself, and still needs its way out while it tidies up.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const)
    process.on(signal, () => undefined);
  await listen(folder, JSON.parse(hosts) as readonly string[]);
  const child = spawn(program, args, { cwd, stdio: "inherit" });
  child.on("error", ({ message }) => {
    say(`cannot start ${program}: ${message}`);
    process.exit(CANNOT_START);
  });
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
}

/** Changes into the folder and uses a short name, because the address of a socket has 108 characters at most. */
async function listen(folder: string, hosts: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  process.chdir(folder);
  await rm(SOCKET, { force: true });
  const server = createEgressProxy({
    rules: hosts.flatMap((text) => {
      const rule = parseHostRule(text);
      return rule.ok ? [rule.value] : [];
    }),
    resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    own: () =>
      Object.values(networkInterfaces()).flatMap(
        (found) => found?.map(({ address }) => address) ?? [],
      ),
    refused: createRefusals(say),
  });
  server.listen(SOCKET);
  await once(server, "listening");
}

function say(line: string): void {
  writeSync(STDERR, `${line}\n`);
}

await main(process.argv.slice(2));
