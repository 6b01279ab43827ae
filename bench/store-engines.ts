import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../src/adapters/store/open-store.ts";
import type { Store } from "../src/ports/store.ts";
import { NOW, REPO, aSignal, aTask } from "../test/support/builders.ts";
import { startPostgres } from "../test/support/postgres.ts";

const ROUNDS = 5;
const WRITES = 400;

interface Load {
  readonly name: string;
  readonly clients: number;
  readonly write: (store: Store, n: number) => Promise<unknown>;
}

const signal = (store: Store, n: number) => store.addSignal(aSignal({ deliveryId: `${n}` }));
const change = (store: Store, n: number) =>
  store.record(REPO, [{ kind: "task-added", task: aTask({ issue: n }) }]);

const LOADS: readonly Load[] = [
  { name: "signals, one at a time", clients: 1, write: signal },
  { name: "signals, 100 in flight", clients: 100, write: signal },
  { name: "record, one at a time", clients: 1, write: change },
  { name: "record, 16 at once", clients: 16, write: change },
];

const folder = await mkdtemp(join(tmpdir(), "wavetrain-bench-"));
const server = await startPostgres({ fsync: true });
const embedded = await openStore({ path: folder, now: () => NOW });
const postgres = await openStore({
  kind: "postgres",
  url: await server.createDatabase(),
  now: () => NOW,
});
let next = 0;
try {
  for (const load of LOADS) await compare(load);
} finally {
  await embedded.close();
  await postgres.close();
  await server.stop();
  await rm(folder, { recursive: true });
}

/** In turns, so that noise of the machine falls on both; the best of each counts. Every write is on the disk when it is counted. */
async function compare(load: Load): Promise<void> {
  const best = { embedded: 0, postgres: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    best.embedded = Math.max(best.embedded, await rate(embedded, load));
    best.postgres = Math.max(best.postgres, await rate(postgres, load));
  }
  const ratio = (best.postgres / best.embedded).toFixed(2);
  const both = `embedded ${best.embedded.toFixed(0)}/s, PostgreSQL ${best.postgres.toFixed(0)}/s`;
  console.log(`${load.name}: ${both}: ${ratio} ×`);
}

async function rate(store: Store, { clients, write }: Load): Promise<number> {
  const last = next + WRITES;
  const started = performance.now();
  const client = async (): Promise<void> => {
    while (next < last) await write(store, next++);
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (WRITES * 1000) / (performance.now() - started);
}
