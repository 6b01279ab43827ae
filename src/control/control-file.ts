import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { isIPv6 } from "node:net";
import { join, resolve } from "node:path";
import * as z from "zod";

/** It says where the server's control interface is, and which token opens it. */
export interface ControlAddress {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
}

const schema = z.object({ url: z.url(), token: z.string().min(1), pid: z.number().int() });

export function newControlToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Only the operator's own user can read it. */
export async function writeControlFile(dataDir: string, address: ControlAddress): Promise<void> {
  const file = controlFile(dataDir);
  const draft = `${file}.${address.pid}`;
  await rm(draft, { recursive: true, force: true });
  await writeFile(draft, `${JSON.stringify(address, undefined, 2)}\n`, { flag: "wx", mode: 0o600 });
  await rename(draft, file);
}

export async function removeControlFile(dataDir: string): Promise<void> {
  await rm(controlFile(dataDir), { recursive: true, force: true });
}

/** Returns undefined when no server left a file, or when it cannot be understood. */
export async function readControlFile(dataDir: string): Promise<ControlAddress | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(controlFile(dataDir), "utf8")));
  } catch {
    // The file is missing, half-written by another hand or of another version: no server can be found by it.
    return undefined;
  }
}

/** Returns an address to reach a server that listens on `host`; one that listens everywhere is reached on this machine. */
export function reachableUrl(host: string, port: number): string {
  const name = ["0.0.0.0", "::", "[::]"].includes(host) ? "127.0.0.1" : host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}

function controlFile(dataDir: string): string {
  return join(resolve(dataDir), "control.json");
}
