import { openPostgresEngine } from "../../../../src/adapters/store/engines/postgres-engine.ts";
import { taskRow } from "../../../../src/adapters/store/rows/work-rows.ts";
import { aTask } from "../../../support/builders.ts";

// Stays in the middle of a transaction until it is killed.
const engine = await openPostgresEngine(process.argv[2] ?? "");
await engine.db.transaction().execute(async (trx) => {
  await trx
    .insertInto("tasks")
    .values(taskRow(aTask({ issue: 99 })))
    .execute();
  process.stdout.write("inside\n");
  await new Promise((resolve) => setTimeout(resolve, 600_000));
});
