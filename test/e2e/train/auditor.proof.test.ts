import { afterEach, describe, expect, it } from "vitest";
import { some } from "../../support/further.ts";
import { World } from "../../support/world.ts";
import { SHOP, approve, bringUnderReview } from "./scene.ts";

let world: World;
afterEach(() => world.close());

const REVIEWS = {
  required_approving_review_count: 1,
  required_review_thread_resolution: false,
  dismiss_stale_reviews_on_push: false,
  require_code_owner_review: false,
  require_last_push_approval: false,
};

const CHECKS = {
  required_status_checks: [{ context: "wavetrain" }],
  strict_required_status_checks_policy: false,
};

const WAYS = [
  { by: "the merge API", rules: [{ type: "pull_request", parameters: REVIEWS }] },
  {
    by: "GitHub's queue",
    rules: [{ type: "merge_queue" }, { type: "required_status_checks", parameters: CHECKS }],
  },
] as const;

/** What the check runs of its pull request say. */
function checksOf(id: string): string {
  const { headSha } = world.pull(id);
  return world.github.world.checkRuns
    .filter(({ suite }) => suite.headSha === headSha)
    .map(({ output }) => output.summary)
    .join("\n");
}

describe("a landing that takes back an earlier one, green", () => {
  it.each(some(WAYS))(
    "halts the train, by $by, until someone has looked",
    async ({ rules: wanted }) => {
      world = await World.create();
      for (const rule of wanted) {
        world.github.addRule(world.repository, { branch: "main", ...rule });
      }
      await bringUnderReview(world, "first", "second", "third");
      approve(world, "first");
      await world.untilColumn("Done", "first");
      world.github.faults.takeBackLandings(world.github.world, 1);
      approve(world, "second");
      await world.until("the train halts", async () => {
        const { trains } = await world.app.store.readRepo(SHOP);
        return trains.some(({ cause }) => cause === "integrity-breach");
      });
      expect(await world.mainFiles()).not.toHaveProperty("first/file.txt");

      approve(world, "third");
      const wrong = (await world.git("rev-parse", "main")).slice(0, 7);
      const head = world.pull("second").headSha.slice(0, 7);
      const words = `the train of main is halted: ${wrong} is not its parent plus ${head}: someone must look before anything else lands; look at it, then say /resume`;
      await world.until("it says what to do", async () => {
        const { repositories } = await world.status();
        return repositories[0]?.tasks.some(({ reason }) => reason === words) === true;
      });
      await world.settle();
      expect((await world.git("rev-parse", "main")).slice(0, 7)).toBe(wrong);
      expect(world.comments("second").join("\n")).toContain(
        "someone must look before anything else lands; then say /resume",
      );
      expect(checksOf("third")).toContain("look at it, then say /resume");

      const files = { "first/file.txt": "first\n" };
      const rules = world.repository.rules.splice(0);
      await world.github.as("ann").push(world.repository, "main", { files, message: "Put back" });
      world.repository.rules.push(...rules);
      world.github.as("ann").comment(world.issue("third"), "/resume");
      await world.untilColumn("Done", "third");
      const ids = ["first", "second", "third"];
      expect(await world.mainFiles()).toMatchObject(
        Object.fromEntries(ids.map((id) => [`${id}/file.txt`, `${id}\n`])),
      );
    },
  );
});
