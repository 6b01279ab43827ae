import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { PROXY_PORT } from "../../../domain/network/network.ts";
import type { SandboxView } from "../../../ports/sandbox.ts";
import { INSIDE, RELAY, SOCKET } from "./relay.ts";

/** Says how a command without a network gets to the hosts that are named for it. */
export interface WayOut {
  /** This goes before the sandbox's own command line, and runs outside of it. */
  readonly gate: readonly string[];
  /** This goes before the command, and runs inside. */
  readonly relay: readonly string[];
  /** The sandbox must show `source` under the name `target`. */
  readonly shown: { readonly source: string; readonly target: string };
}

interface Inside {
  /** This is the path of Node inside the sandbox. */
  readonly node: string;
  /** The relay must `pass` signals on to the command where they are sent to the first process of the sandbox. */
  readonly signals: "pass" | "stay";
}

/** Makes the way out. It is undefined for a command that needs none, because everything or nothing is open to it. */
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

/** The built gate is beside the running program. When we run from the sources, Node needs a loader for TypeScript. */
function gateProgram(): readonly string[] {
  const built = fileURLToPath(new URL("egress-gate.js", import.meta.url));
  if (existsSync(built)) return [process.execPath, built];
  const source = fileURLToPath(new URL("gate.ts", import.meta.url));
  const reader = createRequire(import.meta.url).resolve("tsx");
  return [process.execPath, "--import", reader, source];
}
