import { defineConfig } from "vitest/config";
import type { TestProjectConfiguration } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";
import { share } from "./test/support/proofs.ts";

const ALL = "test/**/*.test.ts";
/** What is proved by repetition, as often as test/support/proofs.ts says. */
const PROOFS = "test/**/*.proof.test.ts";
/** What needs more than `npm ci` installs: bubblewrap, podman, codex. `.ci/run` installs it. */
const INSTALLED = "test/**/*.installed.test.ts";
/** These change their process: nock and fake timers replace what every file of it uses, process tests look at its children. */
const ALONE = ["test/adapters/*.test.ts", "test/adapters/github/*.test.ts", "test/cli/*.test.ts"];
/** These start git hundreds of times, and each start copies the process: theirs stays small without the app and GitHub's schemas. */
const SMALL = ["test/adapters/git/*.test.ts", "test/adapters/store/*.test.ts"];
export default defineConfig({
  test: {
    // Twice what a test may take on a machine that does a dozen other things: nothing hangs on it but the time until a hang is told.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: "forks",
    globalSetup: "test/support/run-folder.ts",
    // Two more than a small machine has cores: end-to-end tests wait half of their time.
    maxWorkers: 4,
    // Of the tests of one file that say that they may run beside each other.
    maxConcurrency: 3,
    sequence: { sequencer: LongestFirst },
    projects: share() === "test" ? forEverybody() : [apart()],
  },
});

function forEverybody(): TestProjectConfiguration[] {
  return [
    { extends: true, test: { name: "alone", include: ALONE, exclude: [INSTALLED] } },
    { extends: true, test: { name: "small", include: SMALL, isolate: false } },
    // One process for many files: the app and GitHub's schemas are loaded and compiled once, not a hundred times.
    {
      extends: true,
      test: {
        name: "together",
        include: [ALL],
        exclude: [...ALONE, ...SMALL, INSTALLED],
        isolate: false,
      },
    },
  ];
}

/** `npm run test:ci` and `npm run test:long` run what `npm test` runs a share of, or leaves out. */
function apart(): TestProjectConfiguration {
  const include = share() === "ci" ? [PROOFS, INSTALLED] : [PROOFS];
  // Some of the full counts are one test of an hour.
  const patience = share() === "ci" ? {} : { testTimeout: 3 * 3_600_000 };
  return { extends: true, test: { name: share(), include, isolate: false, ...patience } };
}
