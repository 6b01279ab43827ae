import { openStore } from "../../../../src/adapters/store/open-store.ts";
import { repoName, runId } from "../../../../src/domain/ids.ts";
import { NOW, aRun, aSignal, aTask } from "../../../support/builders.ts";
import { placeOf } from "./place.ts";

// Writes without end, and prints the number of each round once the store has acknowledged all of it.
const [place, name = ""] = process.argv.slice(2);
const store = await openStore({ ...placeOf(place), now: () => NOW });
const repo = repoName(`octo/${name}`);
for (let n = 0; ; n += 1) {
  const task = aTask({ repo, issue: n });
  const run = aRun({ id: runId(`${name}-${n}`), task: task.id });
  await store.addSignal(aSignal({ deliveryId: `${name}-${n}`, repo }));
  await store.record(repo, [
    { kind: "task-added", task },
    { kind: "run-queued", run },
  ]);
  process.stdout.write(`${n}\n`);
}
