import { relative } from "node:path";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

/** What would run alone at the end if it began late; a fresh clone has no times of an earlier run to go by. */
const LONG = [
  "test/attacks/mangling.proof.test.ts",
  "test/cli/try-command.proof.test.ts",
  "test/attacks/leftovers.proof.test.ts",
  "test/cli/explore/explore-command.proof.test.ts",
  "test/cli/explore/bad-input.proof.test.ts",
  "test/attacks/shared-store.proof.test.ts",
  "test/attacks/setup-poisoned.proof.test.ts",
  "test/e2e/kills.proof.test.ts",
  "test/e2e/three-servers.proof.test.ts",
  "test/e2e/restart.proof.test.ts",
  "test/e2e/stop.proof.test.ts",
];

/** Starts the longest files first, then those with a process of their own, then those that share one. */
export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = [...files].sort((a, b) => this.#rank(a) - this.#rank(b));
    return Promise.resolve(bySize);
  }

  #rank({ moduleId, project }: TestSpecification): number {
    const at = LONG.indexOf(relative(project.config.root, moduleId));
    if (at !== -1) return at;
    return LONG.length + (project.config.isolate ? 0 : 1);
  }
}
