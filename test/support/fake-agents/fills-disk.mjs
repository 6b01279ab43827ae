// Writes one file for as long as it may.
import { appendFileSync } from "node:fs";
import process from "node:process";

process.on("SIGXFSZ", () => {});
const block = "x".repeat(1 << 20);
try {
  for (let written = 0; written < 64; written += 1) appendFileSync("big", block);
} catch (error) {
  process.stdout.write(`${error.code}\n`);
  process.exit(5);
}
