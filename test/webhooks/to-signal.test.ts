import { describe, expect, it } from "vitest";
import { isEcho, signalFromDelivery } from "../../src/webhooks/to-signal.ts";
import type { Delivery } from "../../src/domain/delivery.ts";
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
      ...{ deliveryId: "delivery-1", event: "issues", action: "edited" },
      ...{ owner: "acme", repo: "acme/shop", receivedAt: NOW },
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
