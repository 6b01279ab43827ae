import { describe, expect, it } from "vitest";
import { webhookViolations } from "./webhook-validator.ts";

const SENDER = {
  login: "ada",
  id: 1,
  node_id: "U_1",
  ...Object.fromEntries(
    (
      "avatar_url url html_url followers_url subscriptions_url organizations_url repos_url " +
      "received_events_url"
    )
      .split(" ")
      .map((name) => [name, "http://127.0.0.1/ada"]),
  ),
  gravatar_id: "",
  following_url: "http://127.0.0.1/ada{/other_user}",
  gists_url: "http://127.0.0.1/ada{/gist_id}",
  starred_url: "http://127.0.0.1/ada{/owner}{/repo}",
  events_url: "http://127.0.0.1/ada{/privacy}",
  type: "User",
  site_admin: false,
};

const ORGANIZATION = {
  login: "acme",
  id: 2,
  node_id: "O_2",
  description: null,
  ...Object.fromEntries(
    "url repos_url events_url hooks_url issues_url avatar_url"
      .split(" ")
      .map((name) => [name, "http://127.0.0.1/acme"]),
  ),
  members_url: "http://127.0.0.1/acme{/member}",
  public_members_url: "http://127.0.0.1/acme{/member}",
};

const ITEM = {
  id: 3,
  node_id: "PVTI_3",
  project_node_id: "PVT_1",
  content_node_id: "I_1",
  content_type: "Issue",
  creator: SENDER,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  archived_at: null,
};

const MOVED = {
  action: "edited",
  projects_v2_item: ITEM,
  changes: {
    field_value: {
      field_node_id: "PVTSSF_1",
      field_type: "single_select",
      field_name: "Status",
      project_number: 1,
      from: null,
      to: { id: "f75ad846", name: "Ready", color: "GREEN", description: "" },
    },
  },
  organization: ORGANIZATION,
  sender: SENDER,
};

describe("webhookViolations", () => {
  it("accepts a card that was moved", () => {
    expect(webhookViolations({ event: "projects_v2_item", payload: MOVED })).toEqual([]);
  });

  it("refuses an action that the event does not have", () => {
    const payload = { ...MOVED, action: "moved" };
    expect(webhookViolations({ event: "projects_v2_item", payload })).toEqual([
      "webhook projects_v2_item.moved: no such event or action",
    ]);
  });

  it("refuses an event that does not exist", () => {
    expect(webhookViolations({ event: "card", payload: {} })).toHaveLength(1);
  });

  it("refuses a payload without a required member", () => {
    const payload = { ...MOVED, sender: undefined };
    expect(webhookViolations({ event: "projects_v2_item", payload })).toEqual([
      "webhook projects_v2_item.edited: /sender is missing",
    ]);
  });

  it("refuses a value outside an enum", () => {
    const payload = { ...MOVED, projects_v2_item: { ...ITEM, content_type: "Card" } };
    const [line] = webhookViolations({ event: "projects_v2_item", payload });
    expect(line).toContain("/projects_v2_item/content_type must be one of");
  });

  it("refuses a member that the schema does not list", () => {
    const payload = { ...MOVED, projects_v2_item: { ...ITEM, issue_number: 1 } };
    expect(webhookViolations({ event: "projects_v2_item", payload })).toEqual([
      "webhook projects_v2_item.edited: /projects_v2_item/issue_number is not documented",
    ]);
  });
});
