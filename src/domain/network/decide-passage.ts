import { isWithin, known, parseAddress, unwrapped } from "./address.ts";
import type { Address } from "./address.ts";
import { parseName, splitPort } from "./network.ts";
import type { HostRule } from "./network.ts";

/** Somebody wants to connect to this. */
export interface Target {
  /** It is a name in small letters without a last dot, or an address as it was written. */
  readonly host: string;
  /** It is the address that `host` spells, if it is no name. */
  readonly address: Address | undefined;
  readonly port: number;
}

export interface Bounds {
  readonly rules: readonly HostRule[];
  /** This host's own interfaces have these addresses: a server that listens on all of them would be reached there, too. */
  readonly own: readonly string[];
}

export type Passage =
  { readonly kind: "pass" } | { readonly kind: "refused"; readonly reason: string };

const PASS: Passage = { kind: "pass" };

/** These ranges are not for everyone on the internet: this host, its networks, services of clouds for their machines, ranges without a meaning yet. */
const NOT_PUBLIC_FOUR = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // Azure's own service for its machines has a public number.
  "168.63.129.16",
].map(known);
const PUBLIC_SIX = known("2000::/3");
const NOT_PUBLIC_SIX = ["2001::/23", "2001:db8::/32", "3fff::/20"].map(known);

/** Reads the `host:port` of a request. It returns undefined for a text that two programs could read in two ways. */
export function readTarget(text: string, usualPort?: number): Target | undefined {
  const split = splitPort(text);
  const port = split?.port ?? usualPort;
  if (split === undefined || port === undefined) return undefined;
  if (split.host.includes(":") && !text.startsWith("[")) return undefined;
  const address = parseAddress(split.host);
  const host = address === undefined ? parseName(split.host) : split.host;
  return host === undefined ? undefined : { host, address, port };
}

/** This is decided before a name is looked up: a host that may not be reached is not looked up either. */
export function decideTarget(target: Target, { rules }: Pick<Bounds, "rules">): Passage {
  const { address } = target;
  const named = address === undefined ? isNamed(target, rules) : isListed(address, target, rules);
  return named ? PASS : { kind: "refused", reason: "is not named" };
}

/** This is decided after the name was looked up: it may lead to any address, also to this host or into its network. */
export function decideAddress(text: string, target: Target, { rules, own }: Bounds): Passage {
  const found = parseAddress(text);
  if (found === undefined) return { kind: "refused", reason: `leads to ${text}, no address` };
  if (isListed(found, target, rules)) return PASS;
  const isOwn = own.some((one) => {
    const address = parseAddress(one);
    return address !== undefined && isSame(unwrapped(address), unwrapped(found));
  });
  if (!isOwn && isPublic(unwrapped(found))) return PASS;
  const where = isOwn ? "of this host" : "of no public network";
  return { kind: "refused", reason: `leads to ${text}, ${where}: name that address, too` };
}

function isNamed({ host, port }: Target, rules: readonly HostRule[]): boolean {
  return rules.some(
    (rule) =>
      rule.kind === "name" &&
      rule.ports.includes(port) &&
      (rule.below ? host.endsWith(`.${rule.name}`) : host === rule.name),
  );
}

function isListed(address: Address, { port }: Target, rules: readonly HostRule[]): boolean {
  return rules.some(
    (rule) =>
      rule.kind === "addresses" &&
      rule.ports.includes(port) &&
      (isWithin(address, rule.range) || isWithin(unwrapped(address), rule.range)),
  );
}

function isSame(a: Address, b: Address): boolean {
  return a.bits === b.bits && a.value === b.value;
}

function isPublic(address: Address): boolean {
  if (address.bits === 32) return !NOT_PUBLIC_FOUR.some((range) => isWithin(address, range));
  return isWithin(address, PUBLIC_SIX) && !NOT_PUBLIC_SIX.some((range) => isWithin(address, range));
}
