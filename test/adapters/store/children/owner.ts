import { openStore } from "../../../../src/adapters/store/open-store.ts";
import { NOW } from "../../../support/builders.ts";

// Owns the store until it is killed.
await openStore({ path: process.argv[2] ?? "", now: () => NOW });
process.stdout.write("open\n");
setInterval(() => undefined, 60_000);
