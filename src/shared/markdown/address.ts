/** A longer one is no address that anybody reads. */
const LONGEST = 2000;

/** The address as it is told to others; undefined for one that GitHub takes out, as `data:…`. */
export function shownAddress(address: string): string | undefined {
  const written = address.trim();
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(written) ?? [];
  const isKept = scheme === undefined || /^(?:https?|mailto)$/i.test(scheme);
  return isKept && written !== "" && written.length <= LONGEST ? written : undefined;
}
