import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLabelBoard } from "../../../../src/adapters/github/boards/label-board.ts";
import type { ColumnRole } from "../../../../src/domain/board.ts";
import { aConfig } from "../../../support/a-config.ts";
import { REPO } from "../../../support/builders.ts";
import { deferred } from "../../../support/deferred.ts";
import { installed, leaveNetwork, nockedGitHub } from "../nocked-github.ts";
import type { NockedGitHub } from "../nocked-github.ts";

const CONFIG = aConfig({ board: { kind: "labels" } });
const AT_END = { hasNextPage: false, endCursor: null };
const ROLE_IDS = Object.fromEntries(
  ["ready", "running", "review", "queued", "done", "blocked"].map((role) => [
    role,
    { id: `label ${role}` },
  ]),
);

let on: NockedGitHub;
let now = 0;
beforeEach(() => {
  on = nockedGitHub();
  now = 1_000;
  installed(on.api);
});
afterEach(leaveNetwork);

/** The answer to a reading that shows the issue with these labels. */
function page(...labels: readonly string[]): object {
  const issue = {
    id: "issue-1",
    number: 1,
    title: "T",
    body: "B",
    state: "OPEN",
    stateReason: null,
    createdAt: "2026-01-01T00:00:00Z",
    repository: { nameWithOwner: REPO },
    labels: { nodes: labels.map((name) => ({ name })) },
    timelineItems: { nodes: [] },
    blockedBy: { nodes: [] },
    parent: null,
  };
  const issues = { pageInfo: AT_END, nodes: [issue] };
  const pullRequests = { pageInfo: AT_END, nodes: [] };
  return { data: { repository: { ...ROLE_IDS, issues, pullRequests } } };
}

/** Moves the issue and returns which labels GitHub was told to take off. */
async function takenOff(
  board: ReturnType<typeof createLabelBoard>,
  role: ColumnRole,
  answered?: Promise<undefined>,
): Promise<readonly string[]> {
  let labels: readonly string[] = [];
  on.api
    .post("/graphql", ({ variables }: { variables: Record<string, unknown> }) => {
      const lists = Object.values(variables).filter(Array.isArray) as string[][];
      labels = lists.slice(1).flat();
      return lists.length > 0;
    })
    .reply(200, async () => {
      await answered;
      return { data: {} };
    });
  await board.update(REPO, CONFIG, { moves: [{ cardId: "issue-1", role }], notes: [] });
  return labels;
}

async function read(board: ReturnType<typeof createLabelBoard>, ...labels: readonly string[]) {
  on.api.post("/graphql", /./).reply(200, page(...labels));
  await board.read(REPO, CONFIG);
}

describe("moving a label", () => {
  it("takes off the label that was read", async () => {
    const board = createLabelBoard(on.connection, () => now);
    await read(board, "ready");
    expect(await takenOff(board, "running")).toEqual(["label ready"]);
    expect(await takenOff(board, "review")).toEqual(["label running"]);
  });

  it("takes off the label of a move that a reading of the same time does not show", async () => {
    const board = createLabelBoard(on.connection, () => now);
    await read(board, "ready");
    const answered = deferred<undefined>();
    const moving = takenOff(board, "running", answered.promise);
    await read(board, "ready");
    answered.resolve(undefined);
    await moving;
    now += 1;
    expect(await takenOff(board, "review")).toEqual(["label ready", "label running"]);
  });

  it("believes a reading that began after the move ended", async () => {
    const board = createLabelBoard(on.connection, () => now);
    await read(board, "ready");
    await takenOff(board, "running");
    now += 1;
    await read(board, "blocked");
    expect(await takenOff(board, "review")).toEqual(["label blocked"]);
  });
});
