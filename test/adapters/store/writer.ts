import { openStore } from "../../../src/adapters/store/open-store.ts";
import { instant } from "../../../src/domain/ids.ts";
import { aSignal } from "./builders.ts";

// Adds signals without end and prints the id of each one that the store has acknowledged.
const [path = "", name = ""] = process.argv.slice(2);
const store = await openStore({ path, now: () => instant(0) });
for (let n = 0; ; n += 1) {
  const deliveryId = `${name}-${n}`;
  await store.addSignal(aSignal({ deliveryId }));
  process.stdout.write(`${deliveryId}\n`);
}
