import { describe } from "vitest";
import { holdCommandsIn } from "../../support/command-bench.ts";
import { pidNamespace } from "../../support/installed.ts";
import { share } from "../../support/proofs.ts";

const namespace = await pidNamespace();

// Everything that holds of a command holds of one in a PID namespace, too.
describe.skipIf(namespace === undefined)("in a PID namespace", async () => {
  if (namespace === undefined) return;
  holdCommandsIn((argv) => namespace.wrap(argv));
  await import("./create-processes.test.ts");
  await import("./process-adoption.test.ts");
  // It waits out what hostile programs do to stay, once more.
  if (share() !== "test") await import("./process-hostile.test.ts");
});
