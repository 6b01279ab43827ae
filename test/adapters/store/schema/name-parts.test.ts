import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openEmbeddedEngine } from "../../../../src/adapters/store/engines/embedded-engine.ts";
import { NAME_PARTS } from "../../../../src/adapters/store/rows/renamed-rows.ts";
import { migrate } from "../../../../src/adapters/store/schema/migrate.ts";

function camel(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

it("says of every column of the schema what it has of a repository's name", async () => {
  const folder = await mkdtemp(join(tmpdir(), "wavetrain-names-"));
  const engine = await openEmbeddedEngine(folder);
  onTestFinished(async () => {
    await engine.close();
    await rm(folder, { recursive: true });
  });
  await migrate(engine.db);
  const tables = await engine.db.introspection.getTables();
  const found = tables.map(({ name, columns }) => [
    camel(name),
    columns.map((column) => camel(column.name)).sort(),
  ]);
  const said = Object.entries(NAME_PARTS).map(([name, parts]) => [name, Object.keys(parts).sort()]);
  expect(Object.fromEntries(said)).toEqual(Object.fromEntries(found));
});
