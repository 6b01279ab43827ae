import { defineConfig } from "vitest/config";
import type { TestProjectConfiguration } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";
import { share } from "./test/support/proofs.ts";

const ALL = "test/**/*.test.ts";
/** What is proved by repetition, as often as test/support/proofs.ts says. */
const PROOFS = "test/**/*.proof.test.ts";
/** What needs more than `npm ci` installs: bubblewrap, podman, git-lfs, agent programs. `.ci/run` installs it. */
const INSTALLED = "test/**/*.installed.test.ts";
/** These answer for GitHub inside their process (nock): whoever wants real HTTP is in another. */
const NOCKED = ["test/adapters/github/**/!(*-over-http*).test.ts", "test/cli/*-answers.test.ts"];
/** These start programs hundreds of times, and each start copies the process: theirs stays small without the app and GitHub's schemas. */
const SMALL = [
  "test/adapters/{git,host,process,sandbox,store}/**/*.test.ts",
  "test/cli/try-command.proof.test.ts",
  "test/cli/explore/*.test.ts",
];
/** It runs the tests of other files once more: `npm test` leaves that to `npm run test:ci`. */
const ONCE_MORE = ["test/adapters/process/process-in-namespace.proof.test.ts"];

export default defineConfig({
  test: {
    // Twice what a test may take on a machine that does a dozen other things: nothing hangs on it but the time until a hang is told.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: "forks",
    globalSetup: "test/support/run-folder.ts",
    // More than a small machine has cores, because end-to-end tests wait half of their time; repeated kills leave less of it.
    maxWorkers: share() === "test" ? 5 : 4,
    // Of the tests of one file that say that they may run beside each other.
    maxConcurrency: 3,
    sequence: { sequencer: LongestFirst },
    projects: share() === "test" ? forEverybody() : [apart()],
  },
});

/** Each has processes of its own, and one process takes many files but one: what they import is loaded and compiled once, not a hundred times. */
function forEverybody(): TestProjectConfiguration[] {
  return [
    project("small", SMALL, [...ONCE_MORE, INSTALLED]),
    project("nocked", NOCKED, []),
    project("together", [ALL], [...SMALL, ...NOCKED, INSTALLED]),
  ];
}

function project(name: string, include: string[], exclude: string[]): TestProjectConfiguration {
  return { extends: true, test: { name, include, exclude, isolate: false } };
}

/** `npm run test:ci` and `npm run test:long` run what `npm test` runs a share of, or leaves out. */
function apart(): TestProjectConfiguration {
  const include = share() === "ci" ? [PROOFS, INSTALLED] : [PROOFS];
  // Some of the full counts are one test of an hour.
  const patience = share() === "ci" ? {} : { testTimeout: 3 * 3_600_000 };
  return { extends: true, test: { name: share(), include, isolate: false, ...patience } };
}
