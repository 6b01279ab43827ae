/** This is an address as a number of 32 or of 128 bits. */
export interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

export interface AddressRange {
  readonly bits: 32 | 128;
  readonly value: bigint;
  /** So many of the first bits count. */
  readonly prefix: number;
}

/** Reads an address as the standards write it, and nothing that only some programs take for one (`127.1`, `0x7f.1`). */
export function parseAddress(text: string): Address | undefined {
  if (!text.includes(":")) {
    const value = parseFour(text);
    return value === undefined ? undefined : { bits: 32, value };
  }
  const groups = groupsOf(text);
  if (groups === undefined) return undefined;
  const value = groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
  return { bits: 128, value };
}

/** Reads `address/prefix`, or one address. */
export function parseRange(text: string): AddressRange | undefined {
  const [head = "", tail, ...more] = text.split("/");
  const address = parseAddress(head);
  if (address === undefined || more.length > 0) return undefined;
  if (tail === undefined) return { ...address, prefix: address.bits };
  const prefix = /^(?:0|[1-9]\d{0,2})$/.test(tail) ? Number(tail) : Infinity;
  return prefix <= address.bits ? { ...address, prefix } : undefined;
}

export function isWithin(address: Address, { bits, value, prefix }: AddressRange): boolean {
  if (address.bits !== bits) return false;
  const rest = BigInt(bits - prefix);
  return address.value >> rest === value >> rest;
}

/** These ranges hold IPv4 inside of IPv6: mapped, behind a translator (NAT64), or 6to4. Whoever connects to one reaches the other. */
const WRAPPED = [
  { range: known("::ffff:0:0/96"), shift: 0n },
  { range: known("64:ff9b::/96"), shift: 0n },
  { range: known("2002::/16"), shift: 80n },
];

/** Returns the address that is meant, without its wrapping. */
export function unwrapped(address: Address): Address {
  const wrapping = WRAPPED.find(({ range }) => isWithin(address, range));
  if (wrapping === undefined) return address;
  return { bits: 32, value: (address.value >> wrapping.shift) & 0xffff_ffffn };
}

/** Reads a range that is written in the program. */
export function known(text: string): AddressRange {
  const range = parseRange(text);
  if (range === undefined) throw new Error(`${text} is no range of addresses`);
  return range;
}

function parseFour(text: string): bigint | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every(isByte)) return undefined;
  return parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
}

function isByte(text: string): boolean {
  return /^(?:0|[1-9]\d{0,2})$/.test(text) && Number(text) < 256;
}

function groupsOf(text: string): readonly number[] | undefined {
  const halves = withoutDots(text)?.split("::");
  if (halves === undefined || halves.length > 2) return undefined;
  const [head = [], tail = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  if (![...head, ...tail].every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const zeros = Array.from({ length: missing }, () => "0");
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}

/** The last two groups may be written as IPv4. */
function withoutDots(text: string): string | undefined {
  if (!text.includes(".")) return text;
  const at = text.lastIndexOf(":") + 1;
  const four = parseFour(text.slice(at));
  if (four === undefined) return undefined;
  return `${text.slice(0, at)}${(four >> 16n).toString(16)}:${(four & 0xffffn).toString(16)}`;
}
