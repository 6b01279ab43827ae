import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import type { Kysely, Migration } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openEmbeddedEngine } from "../../../../src/adapters/store/engines/embedded-engine.ts";
import { openPostgresEngine } from "../../../../src/adapters/store/engines/postgres-engine.ts";
import type { Engine } from "../../../../src/adapters/store/rows/tables.ts";
import { MIGRATIONS, migrate } from "../../../../src/adapters/store/schema/migrate.ts";
import { sqlStore } from "../../../../src/adapters/store/sql-store.ts";
import { NOW, REPO, aTask } from "../../../support/builders.ts";
import { added } from "../changes.ts";
import { usePostgres } from "../use-postgres.ts";

const weigh: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable("tasks")
      .addColumn("weight", "integer", (c) => c.notNull().defaultTo(7))
      .execute();
  },
};
const breakDown: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.dropTable("publications").execute();
    await sql`insert into nowhere values (1)`.execute(db);
  },
};

const server = usePostgres();
let root: string;
let opened = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "wavetrain-migrate-"));
});
afterAll(() => rm(root, { recursive: true }));

const openEmbedded = (): Promise<Engine> => openEmbeddedEngine(join(root, `store-${opened++}`));
const openPostgres = async (): Promise<Engine> =>
  openPostgresEngine(await server().createDatabase());

describe.each([
  ["the embedded engine", openEmbedded],
  ["PostgreSQL", openPostgres],
])("migrate on %s", (_name, open) => {
  let engine: Engine;
  beforeEach(async () => {
    engine = await open();
    await migrate(engine.db);
    await sqlStore(engine, { now: () => NOW }).record(REPO, [added(aTask())]);
  });
  afterEach(() => engine.close());

  it("carries what is there into the newer schema", async () => {
    await migrate(engine.db, { ...MIGRATIONS, "9001-weigh": weigh });
    const weighed = await sql`select id, weight from tasks`.execute(engine.db);
    expect(weighed.rows).toEqual([{ id: "octo/app#1", weight: 7 }]);
  });

  it("changes nothing when there is nothing to do", async () => {
    await migrate(engine.db);
    expect((await sqlStore(engine, { now: () => NOW }).readRepo(REPO)).tasks).toEqual([aTask()]);
  });

  it("leaves schema and rows as they were when a step fails", async () => {
    const steps = { ...MIGRATIONS, "9001-weigh": weigh, "9002-break": breakDown };
    await expect(migrate(engine.db, steps)).rejects.toMatchObject({ code: "store-unusable" });
    const store = sqlStore(engine, { now: () => NOW });
    expect((await store.readRepo(REPO)).tasks).toEqual([aTask()]);
    expect(await store.publication("k")).toBeUndefined();
    await migrate(engine.db);
  });

  it("refuses a schema that it does not know", async () => {
    await migrate(engine.db, { ...MIGRATIONS, "9001-weigh": weigh });
    await expect(migrate(engine.db)).rejects.toMatchObject({ code: "store-unusable" });
  });
});
