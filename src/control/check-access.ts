import { createHash, timingSafeEqual } from "node:crypto";

export interface AccessRules {
  readonly token: string;
  /** It says whether other machines may ask, too. */
  readonly remote: boolean;
  /** The interface is also served under these names, besides the loopback's own. */
  readonly hosts: readonly string[];
}

export interface Asker {
  readonly address: string | undefined;
  /** This is the server's end of the connection: the same address means the same machine. */
  readonly localAddress: string | undefined;
  /** This is the `Host` header. */
  readonly host: string | undefined;
  readonly authorization: string | undefined;
}

export interface Refusal {
  readonly status: 401 | 403;
  readonly reason: string;
}

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];
const LOOPBACK_ADDRESS = /^(?:::ffff:)?127\.|^::1$/;

/** Says why the asker is turned away; undefined lets them in. */
export function refusalOf(asker: Asker, rules: AccessRules): Refusal | undefined {
  if (!rules.remote && !isThisMachine(asker)) {
    return { status: 403, reason: "only this machine may use the control interface" };
  }
  // A web page may point a name of its own at this machine; a browser then still sends that name.
  if (!isOurName(asker.host, rules)) {
    return { status: 403, reason: "the control interface is not served under this name" };
  }
  if (!isBearer(asker.authorization, rules.token)) {
    return { status: 401, reason: "the token of control.json is needed" };
  }
  return undefined;
}

function isThisMachine({ address, localAddress }: Asker): boolean {
  if (address === undefined) return false;
  return LOOPBACK_ADDRESS.test(address) || address === localAddress;
}

function isOurName(host: string | undefined, rules: AccessRules): boolean {
  const name = (host ?? "").replace(/:\d+$/, "").toLowerCase();
  return [...LOOPBACK_NAMES, ...rules.hosts.map((one) => one.toLowerCase())].includes(name);
}

/** Digests have one length, so the comparison takes the same time whatever was sent. */
function isBearer(authorization: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(authorization ?? ""), digest(`Bearer ${token}`));
}
