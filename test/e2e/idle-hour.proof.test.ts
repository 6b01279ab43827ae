import type { RestExchange } from "../../local-github/wire/observer.ts";
import { afterEach, describe, expect, it } from "vitest";
import { CallCounter } from "../support/call-counter.ts";
import { HurriedClock } from "../support/hurried-clock.ts";
import { times } from "../support/proofs.ts";
import { World } from "../support/world.ts";

let world: World;
afterEach(() => world.close());

const MINUTE_MS = 60_000;
const REPOSITORIES = 20;
/** The limits are those of a whole hour. */
const MINUTES = times({ test: 3, ci: 60, long: 60 });
const FILES = { "README.md": "x", ".github/wavetrain.yml": "verify: test -f README.md\n" };

class LookCounter extends CallCounter {
  /** How often a repository was looked at for news. */
  looks = 0;

  override rest(exchange: RestExchange): void {
    super.rest(exchange);
    if (exchange.route === "/repos/{owner}/{repo}/issues") this.looks += 1;
  }
}

/** An organization where nobody does anything, at the default settings. */
async function organization(cards: number, hasVersion: boolean) {
  const [counter, clock] = [new LookCounter(), new HurriedClock()];
  world = await World.create({
    defaults: true,
    strict: false,
    startApp: false,
    listener: counter,
    clock,
    files: FILES,
    // GitHub's clock is not hurried, so all of the hour would count for one minute.
    github: { limits: { restPointsPerMinute: Infinity } },
  });
  const { github, project } = world;
  const repositories = [world.repository];
  const roles = { ann: "admin" } as const;
  for (let at = 1; at < REPOSITORIES; at += 1) {
    const wanted = { owner: "acme", name: `shop-${at}`, from: FILES, roles };
    repositories.push(await github.addRepository(wanted));
  }
  for (let at = 0; at < cards; at += 1) {
    const repo = repositories[at % REPOSITORIES]!;
    const issue = github.as("ann").openIssue({ repo, title: `T${at}`, body: "" });
    github.addCard(project, issue, at % 2 === 0 ? "Backlog" : "Done");
  }
  github.faults.unversionedItems = !hasVersion;
  // All this was long ago: GitHub does not list its webhooks any more.
  await github.deliverySettled();
  github.world.deliveries.length = 0;
  clock.skip(60 * MINUTE_MS);
  await world.startApp();
  return { counter, clock };
}

async function passMinutes(
  minutes: number,
  { counter, clock }: { readonly counter: LookCounter; readonly clock: HurriedClock },
): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    const before = counter.looks;
    clock.skip(MINUTE_MS);
    const all = before + REPOSITORIES;
    await world.until("every repository was looked at", () => counter.looks >= all);
    await world.app.idle();
  }
}

describe("an hour in which nothing happens, in an organization with 20 repositories", () => {
  it.each([
    // A board of several pages is never asked for its version.
    { cards: 500, hasVersion: false },
    { cards: 100, hasVersion: true },
  ])(
    "costs at most 60 points, no call of the installation and 20 of the App: $cards cards, 304 for the items: $hasVersion",
    async ({ cards, hasVersion }) => {
      const idle = await organization(cards, hasVersion);
      const { counter } = idle;
      await world.settle();
      await passMinutes(3, idle);
      counter.forget();
      await passMinutes(MINUTES, idle);
      if (process.env.SHOW_CALLS !== undefined) {
        const said = { points: counter.points, asApp: counter.asApp, table: counter.table() };
        process.stderr.write(`${cards} ${hasVersion} ${JSON.stringify(said)}\n`);
      }
      const rest = counter.table().filter(([name]) => / \/(?!app(?:\/|$))/.test(name));
      expect(rest).toEqual([]);
      expect(counter.points).toBeLessThanOrEqual(60);
      expect(counter.asApp).toBeLessThanOrEqual(20);
      expect(counter.looks).toBeGreaterThanOrEqual(REPOSITORIES * MINUTES);
    },
  );
});
