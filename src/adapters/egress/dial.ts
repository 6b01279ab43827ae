import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { decideAddress, decideTarget } from "../../domain/network/decide-passage.ts";
import type { Target } from "../../domain/network/decide-passage.ts";
import type { HostRule } from "../../domain/network/host-rule.ts";

/** What of the world decides about a way out. */
export interface Surroundings {
  readonly rules: readonly HostRule[];
  /** Addresses of a name, best first. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  /** Addresses of this host's interfaces. */
  readonly own: () => readonly string[];
}

export type Dialled =
  | { readonly kind: "connected"; readonly socket: Socket }
  /** By us. */
  | { readonly kind: "refused"; readonly reason: string }
  /** By the network. */
  | { readonly kind: "unreachable"; readonly reason: string };

const CONNECT_MS = 20_000;
/** Of a name that has many; the rest would be no better. */
const MOST_ADDRESSES = 6;

/** Connects to the very address that was judged: a name is asked for once. */
export async function dial(target: Target, around: Surroundings): Promise<Dialled> {
  const named = decideTarget(target, around);
  if (named.kind === "refused") return named;
  const found = await addressesOf(target, around);
  if (found.length === 0) return { kind: "unreachable", reason: "has no address" };
  const bounds = { rules: around.rules, own: around.own() };
  const judged = found.map((address) => ({
    address,
    passage: decideAddress(address, target, bounds),
  }));
  const open = judged.flatMap(({ address, passage }) => (passage.kind === "pass" ? [address] : []));
  const [first] = judged;
  if (open.length === 0 && first?.passage.kind === "refused") return first.passage;
  return connectToAny(open.slice(0, MOST_ADDRESSES), target.port);
}

async function addressesOf(
  { host, address }: Target,
  { resolve }: Surroundings,
): Promise<readonly string[]> {
  if (address !== undefined) return [host];
  return resolve(host).catch(() => []);
}

async function connectToAny(addresses: readonly string[], port: number): Promise<Dialled> {
  let reason = "has no address";
  for (const host of addresses) {
    // Whoever gets it hears of its end; until then an error must not end the process.
    const socket = connect({ host, port, noDelay: true, keepAlive: true, allowHalfOpen: true });
    socket.on("error", () => undefined);
    try {
      await once(socket, "connect", { signal: AbortSignal.timeout(CONNECT_MS) });
      return { kind: "connected", socket };
    } catch (error) {
      socket.destroy();
      reason = error instanceof Error && "code" in error ? String(error.code) : "does not answer";
    }
  }
  return { kind: "unreachable", reason };
}
