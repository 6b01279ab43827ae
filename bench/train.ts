// Landings per hour of the real train on a simulated clock, and its git step against a rebase:
// `npx tsx bench/train.ts [--changes 60] [--verify 15,600] [--failing 0.05,0.1,0.2] [--files 200,10000,100000] [--rounds 5]`.
// `--files ""` leaves the git step out. Says PASS or FAIL for each goal; a missed one is its exit code.
import { parseArgs } from "node:util";
import { printIntegration } from "./train/integration.ts";
import { printThroughput } from "./train/throughput.ts";

const { values } = parseArgs({
  options: {
    changes: { type: "string", default: "60" },
    verify: { type: "string", default: "15,600" },
    failing: { type: "string", default: "0.05,0.1,0.2" },
    files: { type: "string", default: "200,10000,100000" },
    rounds: { type: "string", default: "5" },
  },
});
const numbers = (text: string) => text.split(",").filter(Boolean).map(Number);

await printThroughput({
  changes: Number(values.changes),
  failing: numbers(values.failing),
  verifySeconds: numbers(values.verify),
});
for (const files of numbers(values.files)) await printIntegration(files, Number(values.rounds));
