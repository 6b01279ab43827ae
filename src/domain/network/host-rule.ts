import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { parseRange } from "./address.ts";
import type { AddressRange } from "./address.ts";

/** One entry of a list of hosts. */
export type HostRule =
  /** `example.com`, or all names below it. */
  | {
      readonly kind: "name";
      readonly name: string;
      readonly below: boolean;
      readonly ports: readonly number[];
    }
  /** `10.1.2.3`, `10.0.0.0/8`, `[::1]`. */
  | {
      readonly kind: "addresses";
      readonly range: AddressRange;
      readonly ports: readonly number[];
    };

/** Https and http, where an entry names no port. */
const USUAL_PORTS = [443, 80];
const EXPECTED =
  "expected a host such as example.com, *.example.com, example.com:8443, 10.1.2.3, 10.0.0.0/8 or [::1]:3000";

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

/** `host`, `host:port`, `[address]` or `[address]:port`, taken apart and nothing else; an address of IPv6 may stand without brackets where no port follows. */
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

function bareSix(text: string): { readonly host: string; readonly port: undefined } | undefined {
  return parseRange(text) === undefined ? undefined : { host: text, port: undefined };
}

/**
 * A host's name, small and without the dot that may end it; undefined for all that is none. What ends in a number would be read as an
 * address by some programs, and letters beyond ASCII as another name: such a name is written as punycode.
 */
export function parseName(text: string): string | undefined {
  const name = text.toLowerCase().replace(/\.$/, "");
  const labels = name.split(".");
  const isName = labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
  const endsInNumber = /^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "");
  return isName && !endsInNumber && name.length <= 253 ? name : undefined;
}
