import { openStore } from "../../../src/adapters/store/open-store.ts";
import { describeStore } from "./contract.ts";
import { usePostgres } from "./use-postgres.ts";

const server = usePostgres();

describeStore("store on PostgreSQL", async (now) =>
  openStore({ kind: "postgres", url: await server().emptyDatabase("contract"), now }),
);
