import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEmbeddedEngine } from "../../../src/adapters/store/engines/embedded-engine.ts";
import { rememberRepos } from "../../../src/adapters/store/remember-repos.ts";
import { migrate } from "../../../src/adapters/store/schema/migrate.ts";
import { sqlStore } from "../../../src/adapters/store/sql-store.ts";
import type { SqlStore } from "../../../src/adapters/store/sql-store.ts";
import { instant, repoName } from "../../../src/domain/ids.ts";
import type { Store } from "../../../src/ports/store.ts";
import { AppError } from "../../../src/shared/app-error.ts";
import { HOUR_MS, NOW, aTask } from "../../support/builders.ts";
import fc from "../../support/fast-check.ts";
import { times } from "../../support/proofs.ts";
import { added } from "./changes.ts";
import { arbitraryBatches, changeOf } from "./histories.ts";

const RUNS = times({ test: 10, ci: 40, long: 400 });

let folder: string;
let now = NOW;
let rereads = 0;
let plain: SqlStore;
let remembering: Store;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wavetrain-remember-"));
  const engine = await openEmbeddedEngine(folder);
  await migrate(engine.db);
  plain = sqlStore(engine, { now: () => now });
  const counting: SqlStore = {
    ...plain,
    rereadRepo: (...given) => {
      rereads += 1;
      return plain.rereadRepo(...given);
    },
  };
  remembering = rememberRepos(counting, () => now);
});
afterAll(async () => {
  await remembering.close();
  await rm(folder, { recursive: true });
});

async function unlessRefused(write: Promise<unknown>): Promise<void> {
  await write.catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== "store-conflict") throw error;
  });
}

describe("what is remembered of a repository", () => {
  it("is what would be read, after any history, at any time, also while others write", async () => {
    let seen = 0;
    const hours = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 60, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(arbitraryBatches, hours, async (batches, passed) => {
        now = NOW;
        seen += 1;
        const repo = repoName(`octo/remembered-${seen}`);
        await remembering.record(
          repo,
          [1, 2, 3].map((issue) => added(aTask({ repo, issue }))),
        );
        for (const [at, batch] of batches.entries()) {
          const memory = await remembering.readRepo(repo);
          const changes = batch.map((draw) => changeOf(repo, memory, draw));
          const write = unlessRefused(remembering.record(repo, changes));
          const meanwhile = remembering.readRepo(repo);
          await write;
          await meanwhile;
          if (passed[at] === 0) now = instant(now + 25 * HOUR_MS);
          expect(await remembering.readRepo(repo)).toEqual(await plain.readRepo(repo));
        }
      }),
      { numRuns: RUNS, seed: 8 },
    );
    expect(rereads).toBeGreaterThan(7 * RUNS);
  });
});
