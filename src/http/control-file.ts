import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { isIPv6 } from "node:net";
import { join, resolve } from "node:path";
import * as z from "zod";

/** Where the server's control interface is, and what opens it. */
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

/** Undefined when no server left one, or when it cannot be understood. */
export async function readControlFile(dataDir: string): Promise<ControlAddress | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(controlFile(dataDir), "utf8")));
  } catch {
    // Missing, half-written by another hand, of another version: there is no server to be found by it.
    return undefined;
  }
}

/** An address to reach a server that listens on `host`: one that listens everywhere is reached here. */
export function reachableUrl(host: string, port: number): string {
  const name = ["0.0.0.0", "::", "[::]"].includes(host) ? "127.0.0.1" : host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}

function controlFile(dataDir: string): string {
  return join(resolve(dataDir), "control.json");
}
