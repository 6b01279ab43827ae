import { describe, expect, it } from "vitest";
import { renderCommitMessage } from "../../src/report/render/render-commit-message.ts";
import { renderPullRequest } from "../../src/report/render/render-pull-request.ts";
import { aSpec, aTask, ORIGIN } from "../report/views.ts";

const PULL = {
  origin: ORIGIN,
  runner: "codex",
  attempt: 1,
  exploring: undefined,
  usage: [],
  files: [],
  outside: [],
  verify: undefined,
};

/** As GitHub and other CIs read them, in a commit's message or a pull request's title. */
const OBEYED =
  /\[(skip ci|ci skip|no ci|skip actions|actions skip|skip-ci|ci-skip|skip [\w -]+|[\w -]+ skip)\]|\*\*\*NO_CI\*\*\*|skip-checks\s*:/i;

describe("7: orders to a CI in an agent's words", () => {
  it.each([
    "[skip ci]",
    "[ci skip]",
    "[no ci]",
    "[skip actions]",
    "[actions skip]",
    "[SKIP CI]",
    "[skip-ci]",
    "[skip netlify]",
    "[azurepipelines skip]",
    "***NO_CI***",
    "skip-checks: true",
    "skip-checks:true",
  ])("%s is not obeyed, and reads the same", (order) => {
    expect(order).toMatch(OBEYED);
    const said = `Fix it ${order}`;
    const notes = `Done.\n\n${order}\n\n\n${order}`;
    const message = renderCommitMessage({ title: said, notes, pull: 3, origin: ORIGIN });
    expect(message).not.toMatch(OBEYED);
    expect(message.replaceAll("\u200B", "")).toContain(said);
    // A merge by GitHub itself may take both for its commit.
    const task = aTask({ spec: aSpec({ title: said }) });
    const { title, body } = renderPullRequest({ ...PULL, task, notes });
    expect(`${title}\n${body}`).not.toMatch(OBEYED);
  });

  it("leaves other brackets alone", () => {
    const title = "[docs] note the [x] box and [skipper]";
    expect(renderCommitMessage({ title, notes: "", pull: undefined, origin: ORIGIN })).toContain(
      title,
    );
  });
});
