import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { parseRange } from "./address.ts";
import type { AddressRange } from "./address.ts";

/** A command may reach all that the host can, nothing, or the named hosts (`parseHostRule` reads them). */
export type Network = "open" | "none" | readonly string[];

/** A rule is one entry of a list of hosts. */
export type HostRule =
  /** It stands for `example.com`, or for all names below it. */
  | {
      readonly kind: "name";
      readonly name: string;
      readonly below: boolean;
      readonly ports: readonly number[];
    }
  /** It stands for `10.1.2.3`, `10.0.0.0/8` or `[::1]`. */
  | {
      readonly kind: "addresses";
      readonly range: AddressRange;
      readonly ports: readonly number[];
    };

/** In a network of named hosts the proxy listens on this port of the sandbox's own loopback interface, where nobody else is. */
export const PROXY_PORT = 3128;

/** Lines of a run's log that tell of a refusal begin with this. */
export const REFUSAL = "wavetrain: network:";

/** An entry without a port means https and http. */
const USUAL_PORTS = [443, 80];
const EXPECTED =
  "expected a host such as example.com, *.example.com, example.com:8443, 10.1.2.3, 10.0.0.0/8 or [::1]:3000";

/** Adds further hosts; a network that is closed stays so, one that is open needs none. */
export function withHosts(network: Network, hosts: readonly string[]): Network {
  return typeof network === "string" ? network : [...network, ...hosts];
}

export function parseHostRule(text: string): Result<HostRule, string> {
  const split = splitPort(text);
  if (split === undefined) return fail(EXPECTED);
  const ports = split.port === undefined ? USUAL_PORTS : [split.port];
  const range = parseRange(split.host);
  if (range !== undefined) return ok({ kind: "addresses", range, ports });
  const below = split.host.startsWith("*.");
  const name = parseName(below ? split.host.slice(2) : split.host);
  return name === undefined ? fail(EXPECTED) : ok({ kind: "name", name, below, ports });
}

/** Takes apart `host`, `host:port`, `[address]` or `[address]:port`, and nothing else; an address of IPv6 may stand without brackets where no port follows. */
export function splitPort(
  text: string,
): { readonly host: string; readonly port: number | undefined } | undefined {
  const [, bracketed, plain, digits] =
    /^(?:\[([^[\]]+)\]|([^:[\]]+))(?::([1-9]\d{0,4}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) return text.includes("[") ? undefined : bareSix(text);
  if (bracketed !== undefined && !bracketed.includes(":")) return undefined;
  const port = digits === undefined ? undefined : Number(digits);
  return port === undefined || port <= 65_535 ? { host, port } : undefined;
}

/**
 * Returns a host's name in small letters without the dot that may end it, and undefined for all that is none. A name that ends in a number would be read as an
 * address by some programs, and letters beyond ASCII as another name: such a name is written as punycode.
 */
export function parseName(text: string): string | undefined {
  const name = text.toLowerCase().replace(/\.$/, "");
  const labels = name.split(".");
  const isName = labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
  const endsInNumber = /^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "");
  return isName && !endsInNumber && name.length <= 253 ? name : undefined;
}

function bareSix(text: string): { readonly host: string; readonly port: undefined } | undefined {
  return parseRange(text) === undefined ? undefined : { host: text, port: undefined };
}
