import type { Kysely } from "kysely";
import { FIRST_LINK } from "./chain.ts";
import type { Link } from "./chain.ts";
import type { Tables } from "./tables.ts";

/** What the next event follows. Whoever appends asks for it first. */
export async function lastLink(trx: Kysely<Tables>): Promise<Link> {
  const newest = trx.selectFrom("events").select(["seq", "hash"]).orderBy("seq", "desc").limit(1);
  return (await newest.executeTakeFirst()) ?? FIRST_LINK;
}
