import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { SandboxView } from "../../ports/sandbox.ts";
import { PROXY_PORT } from "../../domain/network/network.ts";
import { INSIDE, RELAY, SOCKET } from "./relay.ts";

/** How a command that has no network of its own gets to the hosts that are named for it. */
export interface WayOut {
  /** Goes before the sandbox's own command line, and runs outside of it. */
  readonly gate: readonly string[];
  /** Goes before the command, and runs inside. */
  readonly relay: readonly string[];
  /** What the sandbox has to show, and under which name. */
  readonly shown: { readonly source: string; readonly target: string };
}

interface Inside {
  /** Node, as it is found in the sandbox. */
  readonly node: string;
  /** Whether signals for the command are sent to whatever was started first in the sandbox. */
  readonly signals: "pass" | "stay";
}

/** Undefined for a command that needs none: everything is open to it, or nothing. */
export function wayOut(
  { network, gate }: Pick<SandboxView, "network" | "gate">,
  { node, signals }: Inside,
): WayOut | undefined {
  if (typeof network === "string") return undefined;
  const socket = `${INSIDE}/${SOCKET}`;
  return {
    gate: [...gateProgram(), gate, JSON.stringify(network)],
    relay: [node, "-e", RELAY, "--", String(PROXY_PORT), socket, signals],
    shown: { source: gate, target: INSIDE },
  };
}

/** It is built beside the program that runs; from the sources it needs a reader of TypeScript. */
function gateProgram(): readonly string[] {
  const built = fileURLToPath(new URL("egress-gate.js", import.meta.url));
  if (existsSync(built)) return [process.execPath, built];
  const source = fileURLToPath(new URL("gate.ts", import.meta.url));
  const reader = createRequire(import.meta.url).resolve("tsx");
  return [process.execPath, "--import", reader, source];
}
