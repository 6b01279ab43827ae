import { describe, expect, it } from "vitest";
import { readingQuery } from "../../../src/adapters/github/reading/board-query.ts";
import { LABEL_READING } from "../../../src/adapters/github/reading/reading-query.ts";
import { pointsOf } from "../../support/points.ts";

const PLACE = { owner: "acme", name: "shop" };
const FIRST_PAGE = { size: 100, after: null, withItems: true, pullsAfter: null, withPulls: true };
const ROLES = ["ready", "running", "review", "queued", "done", "blocked"];

describe("a whole reading of 100 cards", () => {
  it("costs at most 4 points on a project", () => {
    const variables = { ...PLACE, ...FIRST_PAGE, project: 1, field: "Status" };
    expect(pointsOf(readingQuery("organization"), variables)).toBeLessThanOrEqual(4);
  });

  it("costs at most 5 points on a board of labels", () => {
    const names = Object.fromEntries(ROLES.map((role) => [role, role]));
    const variables = { ...PLACE, ...FIRST_PAGE, ...names, labels: ROLES };
    expect(pointsOf(LABEL_READING, variables)).toBeLessThanOrEqual(5);
  });
});
