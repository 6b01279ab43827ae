import { describe, expect, it } from "vitest";
import type { Delivery } from "../../src/domain/signal.ts";
import {
  checkResultOf,
  isEcho,
  signalFromDelivery,
  subjectOf,
  touchesConfig,
} from "../../src/intake/interpret-delivery.ts";
import { NOW } from "../support/builders.ts";

/** As it comes from the network: nothing about it is certain. */
function delivery(payload: object): Delivery {
  return { id: "delivery-1", name: "issues", payload };
}

function signalOf(payload: object) {
  return signalFromDelivery(delivery(payload), NOW);
}

describe("signalFromDelivery", () => {
  it("says what happened where, and no more", () => {
    const payload = { action: "edited", repository: { full_name: "acme/shop" }, issue: { id: 1 } };
    expect(signalOf(payload)).toEqual({
      deliveryId: "delivery-1",
      event: "issues",
      action: "edited",
      owner: "acme",
      repo: "acme/shop",
      receivedAt: NOW,
    });
  });

  it("knows a board's event by its organization", () => {
    const payload = { action: "edited", organization: { login: "acme" } };
    expect(signalOf(payload)).toMatchObject({ owner: "acme", repo: undefined });
  });

  it("knows an installation by its account", () => {
    const payload = { action: "created", installation: { id: 5, account: { login: "acme" } } };
    expect(signalOf(payload)).toMatchObject({ owner: "acme", repo: undefined });
  });

  it("takes the repository's owner before the organization", () => {
    const payload = { repository: { full_name: "acme/shop" }, organization: { login: "other" } };
    expect(signalOf(payload)).toMatchObject({ owner: "acme", repo: "acme/shop" });
  });

  it("has no action when the event has none", () => {
    const repository = { full_name: "acme/shop" };
    expect(signalOf({ repository })).toMatchObject({ action: undefined });
    expect(signalOf({ repository, action: 5 })).toMatchObject({ action: undefined });
  });

  it.each([
    ["a name that cannot be a repository's", { full_name: "../etc" }],
    ["a name that is not text", { full_name: 5 }],
    ["no name", {}],
    ["null", null],
  ])("still wakes the organization for a repository with %s", (_, repository) => {
    const payload = { repository, organization: { login: "acme" } };
    expect(signalOf(payload)).toMatchObject({ owner: "acme", repo: undefined });
  });

  it.each([
    ["nothing", {}],
    ["an empty organization", { organization: {} }],
    ["null for everything", { repository: null, organization: null, installation: null }],
    ["an installation without an account", { installation: { id: 5 } }],
    ["an account that is null", { installation: { account: null } }],
    ["an account that is text", { installation: { account: "acme" } }],
    ["an account whose name is no text", { installation: { account: { login: 5 } } }],
    ["an enterprise, which has no login", { installation: { account: { slug: "corp" } } }],
  ])("is no signal when the payload has %s", (_, payload) => {
    expect(signalOf(payload)).toBeUndefined();
  });
});

describe("isEcho", () => {
  it.each([
    [{ sender: { login: "wavetrain[bot]" } }, true],
    [{ sender: { login: "ann" } }, false],
    [{ sender: { login: "wavetrain" } }, false],
    [{ sender: {} }, false],
    [{ sender: null }, false],
    [{}, false],
  ])("takes %o for the app's own doing: %s", (payload, echo) => {
    expect(isEcho(delivery(payload), "wavetrain[bot]")).toBe(echo);
  });

  it("hears of what GitHub's merge queue does with what the app gave it", () => {
    const payload = { action: "checks_requested", sender: { login: "wavetrain[bot]" } };
    expect(isEcho({ id: "delivery-1", name: "merge_group", payload }, "wavetrain[bot]")).toBe(
      false,
    );
  });
});

function comment(body: unknown, action = "created") {
  return subjectOf({
    id: "d",
    name: "issue_comment",
    payload: { action, comment: { id: 9, body } },
  });
}

describe("subjectOf", () => {
  it("points at a comment that looks like a command", () => {
    expect(comment("/retry")).toEqual({ kind: "comment", comment: "9" });
  });

  it.each(["hello", "> /retry", "", undefined, 7])("lets %j pass by", (body) => {
    expect(comment(body)).toBeUndefined();
  });

  it("takes no command from a comment that was edited or deleted", () => {
    expect(comment("/retry", "edited")).toBeUndefined();
    expect(comment("/retry", "deleted")).toBeUndefined();
  });

  it("knows the button that was pressed and the commit that it is on", () => {
    const payload = {
      action: "requested_action",
      check_run: { head_sha: "abc" },
      requested_action: { identifier: "retry" },
    };
    const subject = { kind: "button", head: "abc", button: "retry" };
    expect(subjectOf({ id: "d", name: "check_run", payload })).toEqual(subject);
    expect(
      subjectOf({ id: "d", name: "check_run", payload: { action: "completed" } }),
    ).toBeUndefined();
    const broken = { action: "requested_action" };
    expect(subjectOf({ id: "d", name: "check_run", payload: broken })).toBeUndefined();
  });
});

describe("subjectOf a re-run", () => {
  it.each(["check_run", "check_suite"])("takes it on our %s for another attempt", (name) => {
    const payload = { action: "rerequested", [name]: { head_sha: "abc" } };
    const subject = { kind: "button", head: "abc", button: "retry" };
    expect(subjectOf({ id: "d", name, payload })).toEqual(subject);
    const broken = { action: "rerequested", [name]: { head_sha: 1 } };
    expect(subjectOf({ id: "d", name, payload: broken })).toBeUndefined();
  });
});

const OURS = [{ head: { ref: "wavetrain/12" } }];
const RUN = { name: "CI", head_sha: "abc", conclusion: "failure", pull_requests: OURS };

function completed(check: Readonly<Record<string, unknown>>, action = "completed") {
  const payload = { action, check_run: { ...RUN, ...check } };
  return checkResultOf({ id: "d", name: "check_run", payload });
}

function told(status: Readonly<Record<string, unknown>>) {
  const branches = [{ name: "wavetrain/12" }];
  const payload = { sha: "abc", context: "CI", state: "failure", branches, ...status };
  return checkResultOf({ ...delivery(payload), name: "status" });
}

describe("checkResultOf", () => {
  it.each([
    ["failure", true],
    ["timed_out", true],
    ["startup_failure", true],
    ["success", false],
    ["neutral", false],
    ["cancelled", false],
  ])("knows that a check which ended with %s is bad: %s", (conclusion, isBad) => {
    const result = { head: "abc", name: "CI", isBad, isOurs: true };
    expect(completed({ conclusion })).toEqual(result);
  });

  it.each([
    ["failure", true],
    ["error", true],
    ["success", false],
  ])("knows that a status of %s is bad: %s", (state, isBad) => {
    expect(told({ state })).toEqual({ head: "abc", name: "CI", isBad, isOurs: true });
  });

  it.each([
    [
      "a check of somebody's own pull request",
      completed({ pull_requests: [{ head: { ref: "fix" } }] }),
    ],
    ["a check of no pull request", completed({ pull_requests: [] })],
    ["a status of somebody's own branch", told({ branches: [{ name: "fix" }] })],
  ])("says that %s is not ours", (_, result) => {
    expect(result?.isOurs).toBe(false);
  });

  it("lets everything else pass by", () => {
    expect(completed({ pull_requests: "?" })).toBeUndefined();
    expect(completed({}, "created")).toBeUndefined();
    expect(told({ state: "pending" })).toBeUndefined();
    const push = { id: "d", name: "push", payload: { action: "completed" } };
    expect(checkResultOf(push)).toBeUndefined();
  });
});

const PATH = ".github/wavetrain.yml";

const to = (branch: string) => ({
  ref: `refs/heads/${branch}`,
  repository: { default_branch: "main" },
});

describe("touchesConfig", () => {
  it.each([
    {
      what: "changes it",
      event: "push",
      payload: { commits: [{ modified: [PATH] }] },
      expected: true,
    },
    {
      what: "adds it",
      event: "push",
      payload: { commits: [{ added: ["a"] }, { added: [PATH] }] },
      expected: true,
    },
    {
      what: "removes it",
      event: "push",
      payload: { commits: [{ removed: [PATH] }] },
      expected: true,
    },
    { what: "was forced", event: "push", payload: { commits: [], forced: true }, expected: true },
    {
      what: "was forced on another branch",
      event: "push",
      payload: { ...to("wavetrain/1"), commits: [{ added: [PATH] }], forced: true },
      expected: false,
    },
    {
      what: "was forced on the default branch",
      event: "push",
      payload: { ...to("main"), commits: [], forced: true },
      expected: true,
    },
    {
      what: "has more commits than are listed",
      event: "push",
      payload: { commits: Array(2048).fill({}) },
      expected: true,
    },
    {
      what: "changes something else",
      event: "push",
      payload: { commits: [{ modified: ["src/a.ts"] }] },
      expected: false,
    },
    { what: "only makes a branch", event: "push", payload: { commits: [] }, expected: false },
    { what: "tells nothing", event: "push", payload: {}, expected: false },
    {
      what: "is another event",
      event: "issues",
      payload: { commits: [{ modified: [PATH] }] },
      expected: false,
    },
  ])("a push that $what: $expected", ({ event, payload, expected }) => {
    expect(touchesConfig(event, payload, PATH)).toBe(expected);
  });
});
