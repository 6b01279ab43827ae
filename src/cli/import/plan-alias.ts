import { digest } from "../../shared/digest.ts";

/** What a marker can hold. */
const LONGEST = 64;
const DIGEST_LENGTH = 8;

/** A name for something in a plan that is the same at every import, however long or odd the ids in the file are. */
export function planAlias(...ids: readonly string[]): string {
  const slugs = ids.map(
    (id) =>
      id
        .toLowerCase()
        .match(/[a-z0-9]+/g)
        ?.join("-") ?? "",
  );
  const alias = slugs.join(".");
  const isPlain = slugs.every((slug) => slug !== "") && alias.length <= LONGEST;
  if (isPlain) return alias;
  const room = LONGEST - DIGEST_LENGTH - 1;
  return `${alias.slice(0, room)}-${digest(ids).slice(0, DIGEST_LENGTH)}`;
}
