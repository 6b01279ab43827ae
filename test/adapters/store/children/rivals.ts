import { createInterface } from "node:readline";
import { openStore } from "../../../../src/adapters/store/open-store.ts";
import type { Change } from "../../../../src/domain/change.ts";
import { repoName } from "../../../../src/domain/ids.ts";
import type { Store } from "../../../../src/ports/store.ts";
import { NOW, aSignal } from "../../../support/builders.ts";
import { placeOf } from "./place.ts";

/** What all rivals try at once; `%` in its text stands for the number of each. */
export type Errand =
  | { readonly kind: "record"; readonly repo: string; readonly changes: readonly Change[] }
  | { readonly kind: "lease"; readonly name: string }
  | { readonly kind: "signals"; readonly ids: readonly string[] };

// Rivals with a store each. For every line of input all try at once; what came of it is one line of output.
const [place, first = "0", count = "1"] = process.argv.slice(2);
const stores = await Promise.all(
  Array.from({ length: Number(count) }, () => openStore({ ...placeOf(place), now: () => NOW })),
);
process.stdout.write("[]\n");
for await (const line of createInterface({ input: process.stdin })) {
  const results = stores.map((store, i) => {
    const errand = JSON.parse(line.replaceAll("%", String(Number(first) + i))) as Errand;
    return attempt(store, errand, Number(first) + i);
  });
  process.stdout.write(`${JSON.stringify(await Promise.all(results))}\n`);
}
await Promise.all(stores.map((store) => store.close()));

async function attempt(store: Store, errand: Errand, number: number): Promise<string> {
  try {
    return await run(store, errand, number);
  } catch (error) {
    if (error instanceof Error && "code" in error) return `${String(error.code)}: ${error.message}`;
    return String(error);
  }
}

async function run(store: Store, errand: Errand, number: number): Promise<string> {
  switch (errand.kind) {
    case "record":
      await store.record(repoName(errand.repo), errand.changes);
      return "won";
    case "lease":
      return (await store.acquireLease(errand.name, `rival-${number}`, 1000)).kind;
    case "signals": {
      const ids = number % 2 === 0 ? errand.ids : [...errand.ids].reverse();
      const added = ids.map((deliveryId) => store.addSignal(aSignal({ deliveryId })));
      return String((await Promise.all(added)).filter((answer) => answer === "new").length);
    }
  }
}
