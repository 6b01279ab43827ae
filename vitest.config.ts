import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";

const ALL = "test/**/*.test.ts";
/** What is proved by repetition, as often as test/support/proofs.ts says. */
const PROOFS = "test/**/*.proof.test.ts";
/** These change their process: nock and fake timers replace what every file of it uses, process tests look at its children. */
const ALONE = ["test/adapters/**/*.test.ts", "test/cli/*.test.ts"];

export default defineConfig({
  test: {
    // Twice what a test may take on a machine that does a dozen other things: nothing hangs on it but the time until a hang is told.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: "forks",
    // V8's own threads cost a third of the processor time: tests start a program every few moments, and each start copies the process.
    execArgv: ["--single-threaded"],
    globalSetup: "test/support/run-folder.ts",
    // Two more than a small machine has cores: end-to-end tests wait half of their time.
    maxWorkers: 4,
    // Of the tests of one file that say that they may run beside each other.
    maxConcurrency: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: "alone", include: ALONE, exclude: [PROOFS] } },
      { extends: true, test: { name: "proofs", include: [PROOFS], isolate: false } },
      // One process for many files: the app and GitHub's schemas are loaded and compiled once, not a hundred times.
      {
        extends: true,
        test: { name: "together", include: [ALL], exclude: [...ALONE, PROOFS], isolate: false },
      },
    ],
  },
});
