import type { StorePlace } from "../../../../src/adapters/store/store-options.ts";

/** An argument of a child process: a folder, or the address of a database. */
export function placeOf(argument = ""): StorePlace {
  const postgres = argument.startsWith("postgres://");
  return postgres ? { kind: "postgres", url: argument } : { kind: "embedded", path: argument };
}
