import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { decideAddress, decideTarget } from "../../../domain/network/decide-passage.ts";
import type { Target } from "../../../domain/network/decide-passage.ts";
import type { HostRule } from "../../../domain/network/network.ts";

/** These facts of the host decide which connections may be made. */
export interface Surroundings {
  readonly rules: readonly HostRule[];
  /** Finds the addresses of a name, best first. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  /** Lists the addresses of this host's interfaces. */
  readonly own: () => readonly string[];
}

export type Dialled =
  | { readonly kind: "connected"; readonly socket: Socket }
  /** We refused it. */
  | { readonly kind: "refused"; readonly reason: string }
  /** The network did not get there. */
  | { readonly kind: "unreachable"; readonly reason: string };

const CONNECT_MS = 20_000;
/** If a name has more addresses, the rest would be no better. */
const MAX_ADDRESSES = 6;

/** Connects to the very address that was judged: a name is looked up only once. */
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
  return connectToAny(open.slice(0, MAX_ADDRESSES), target.port);
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
    // Whoever gets the socket hears of its end. Until then an error must not end the process.
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
