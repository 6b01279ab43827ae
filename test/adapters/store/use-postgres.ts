import { afterAll, beforeAll } from "vitest";
import { startPostgres } from "../../support/postgres.ts";
import type { PostgresServer } from "../../support/postgres.ts";

/** One server for all tests of a file. */
export function usePostgres(options?: { readonly fsync: boolean }): () => PostgresServer {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await startPostgres(options);
  });
  afterAll(() => server?.stop());
  return () => {
    if (server === undefined) throw new Error("PostgreSQL is started before the first test");
    return server;
  };
}
