import { readFile } from "node:fs/promises";
import { format, resolveConfig } from "prettier";
import { describe, expect, it } from "vitest";
import { INDEX_EVERY_MS, wholeEveryMs } from "../../../src/adapters/github/boards/decide-board.ts";
import {
  changedCardsQuery,
  indexQuery,
  readingQuery,
} from "../../../src/adapters/github/reading/board-query.ts";
import { operatorConfigSchema } from "../../../src/config/schema/operator-config.ts";
import { pointsOf } from "../../support/points.ts";
import { TASK_COST } from "../../support/task-cost.ts";

const PAGE = "docs/api-cost.md";
const SECTION = /(?<=<!-- the test writes this table -->\n)[^]*?(?=<!-- end of the table -->)/;

const HOUR_MS = 3_600_000;
const LANDED_AN_HOUR = 100;
const REPOSITORIES = [1, 20, 100];
const CARDS = [100, 500, 2_000];

const PLACE = { owner: "acme", name: "shop", project: 1, field: "Status" };

/** The first page comes with the repository's pull requests. */
function pointsOfPage(withPulls: boolean): number {
  const cursor = { size: 100, after: null, withItems: true, pullsAfter: null, withPulls };
  return pointsOf(readingQuery("organization"), { ...PLACE, ...cursor });
}

function pointsOfIndex(pages: number): number {
  const places = Array.from({ length: pages }, (_, at) => [
    [`after${at}`, null],
    [`size${at}`, 100],
  ]).flat() as [string, unknown][];
  const variables = { ...PLACE, withPulls: true, pullsAfter: null, ...Object.fromEntries(places) };
  return pointsOf(indexQuery("organization", pages), variables);
}

function pointsOfCards(count: number): number {
  const ids = Array.from({ length: count }, (_, at) => `card-${at}`);
  return pointsOf(changedCardsQuery(), { ids, field: "Status" });
}

/** A whole reading of several pages is checked by an index. */
function pointsOfWhole(pages: number): number {
  const more = (pages - 1) * pointsOfPage(false) + (pages > 1 ? pointsOfIndex(pages) : 0);
  return pointsOfPage(true) + more;
}

function pointsOfReading(pages: number): number {
  return pages === 1 ? pointsOfPage(true) : pointsOfIndex(pages) + pointsOfCards(1);
}

function idlePoints(pages: number, hasVersion: boolean): number {
  const whole = (HOUR_MS / wholeEveryMs(pages)) * pointsOfWhole(pages);
  const indexes = pages === 1 && hasVersion ? 0 : Math.ceil(HOUR_MS / INDEX_EVERY_MS);
  return Math.ceil(whole + indexes * pointsOfIndex(pages));
}

function busyPoints(pages: number, hasVersion: boolean): number {
  const each = TASK_COST.readings * pointsOfReading(pages) + TASK_COST.queries;
  return idlePoints(pages, hasVersion) + LANDED_AN_HOUR * each;
}

/** Conditional requests, which do not count: for each repository one for its issues, and one for the items of a board of one page. */
function looks(repositories: number, pages: number): number {
  const { reconcileEvery } = operatorConfigSchema.parse({
    runners: { agent: { command: "true" } },
  });
  return (repositories * (pages === 1 ? 2 : 1) * HOUR_MS) / reconcileEvery;
}

function table(): string {
  const head = [
    "repositories",
    "cards",
    "idle: points, 304 / none",
    "busy: points, 304 / none",
    "busy: REST calls",
    "304s, which do not count",
  ];
  const rows = REPOSITORIES.flatMap((repositories) =>
    CARDS.map((cards) => {
      const pages = cards / 100;
      const both = (points: typeof idlePoints): string =>
        `${said(points(pages, true))} / ${said(points(pages, false))}`;
      const rest = LANDED_AN_HOUR * TASK_COST.rest;
      const free = looks(repositories, pages);
      return [repositories, said(cards), both(idlePoints), both(busyPoints), rest, said(free)];
    }),
  );
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function said(count: number): string {
  return count.toLocaleString("en");
}

describe("the table of docs/api-cost.md", () => {
  it("is what the queries cost by GitHub's formula", async () => {
    const page = await readFile(PAGE, "utf8");
    expect(page).toMatch(SECTION);
    const written = page.replace(SECTION, `\n${table()}\n\n`);
    const options = await resolveConfig(PAGE);
    const formatted = await format(written, { ...options, parser: "markdown" });
    await expect(formatted).toMatchFileSnapshot("../../../docs/api-cost.md");
  });

  it("keeps an organization of 500 cards within 60 points an hour while nothing happens", () => {
    for (const hasVersion of [true, false]) {
      for (const pages of [1, 5, 20]) expect(idlePoints(pages, hasVersion)).toBeLessThanOrEqual(60);
    }
  });

  it("leaves half of GitHub's 5,000 points an hour to others when a hundred tasks land", () => {
    for (const pages of [1, 5, 20]) expect(busyPoints(pages, false)).toBeLessThanOrEqual(2_500);
  });
});
