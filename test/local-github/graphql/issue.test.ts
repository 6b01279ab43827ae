import { describe, expect, it } from "vitest";
import { editIssue } from "../../../local-github/actions/threads/issues.ts";
import { createLabel } from "../../../local-github/actions/threads/labels.ts";
import {
  addItem,
  deleteItem,
  setItemStatus,
} from "../../../local-github/actions/threads/projects.ts";
import { ask, card, data, option, smallWorld } from "./small-world.ts";
import type { SmallWorld } from "./small-world.ts";

async function mutate(
  small: SmallWorld,
  mutation: { readonly name: string; readonly select: string },
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const type = `${mutation.name[0]!.toUpperCase()}${mutation.name.slice(1)}Input`;
  const query = `mutation($input: ${type}!) { ${mutation.name}(input: $input) { ${mutation.select} } }`;
  const answer = await data(small, query, { variables: { input } });
  return (answer as Record<string, unknown>)[mutation.name];
}

describe("issue mutations", () => {
  it("open, close and reopen issues", async () => {
    const small = await smallWorld();
    const create = { name: "createIssue", select: "issue { id number }" };
    const input = { repositoryId: small.app.nodeId, title: "New", body: "text" };
    const created = await mutate(small, create, input);
    const issueId = (created as { issue: { id: string } }).issue.id;
    const close = { name: "closeIssue", select: "issue { state stateReason closed }" };
    expect(await mutate(small, close, { issueId, stateReason: "NOT_PLANNED" })).toEqual({
      issue: { state: "CLOSED", stateReason: "NOT_PLANNED", closed: true },
    });
    const reopen = { name: "reopenIssue", select: "issue { state stateReason }" };
    expect(await mutate(small, reopen, { issueId })).toEqual({
      issue: { state: "OPEN", stateReason: "REOPENED" },
    });
    expect(small.events.map((event) => event.action)).toEqual(["opened", "closed", "reopened"]);
  });

  it("relate issues", async () => {
    const small = await smallWorld();
    const [first, second] = [card(small, "First").issue, card(small, "Second").issue];
    const block = { name: "addBlockedBy", select: "issue { blockedBy(first: 1) { totalCount } }" };
    const pair = { issueId: second.nodeId, blockingIssueId: first.nodeId };
    expect(await mutate(small, block, pair)).toEqual({ issue: { blockedBy: { totalCount: 1 } } });
    const adopt = {
      name: "addSubIssue",
      select: "issue { subIssues(first: 1) { nodes { number } } } subIssue { parent { number } }",
    };
    const family = { issueId: first.nodeId, subIssueId: second.nodeId };
    expect(await mutate(small, adopt, family)).toEqual({
      issue: { subIssues: { nodes: [{ number: 2 }] } },
      subIssue: { parent: { number: 1 } },
    });
    const unblock = { name: "removeBlockedBy", select: "issue { number }" };
    await mutate(small, unblock, pair);
    expect(second.blockedBy).toEqual([]);
  });

  it("comment, edit a comment and label", async () => {
    const small = await smallWorld();
    const { issue } = card(small, "Task");
    const comment = {
      name: "addComment",
      select: "subject { id } commentEdge { node { id body author { login } viewerDidAuthor } }",
    };
    const added = await mutate(small, comment, { subjectId: issue.nodeId, body: "started" });
    const [posted] = issue.comments;
    expect(added).toEqual({
      subject: { id: issue.nodeId },
      commentEdge: {
        node: {
          id: posted!.nodeId,
          body: "started",
          author: { login: "wavetrain" },
          viewerDidAuthor: true,
        },
      },
    });
    const edit = { name: "updateIssueComment", select: "issueComment { body }" };
    await mutate(small, edit, { id: posted!.nodeId, body: "done" });
    expect(posted!.body).toBe("done");
    const label = createLabel(small.world, small.app, { name: "bug", actor: small.ada });
    const labelling = {
      name: "addLabelsToLabelable",
      select: "labelable { labels(first: 2) { nodes { name } } }",
    };
    const labels = { labelableId: issue.nodeId, labelIds: [label.nodeId] };
    expect(await mutate(small, labelling, labels)).toEqual({
      labelable: { labels: { nodes: [{ name: "bug" }] } },
    });
  });

  it("need write access to the repository's issues", async () => {
    const small = await smallWorld();
    const { issue } = card(small, "Task");
    const query = `mutation($input: CloseIssueInput!) { closeIssue(input: $input) { issue { id } } }`;
    const variables = { input: { issueId: issue.nodeId } };
    const token = { permissions: { issues: "read" } } as const;
    const answer = await ask(small, query, { variables, token });
    expect(answer.errors).toMatchObject([{ type: "FORBIDDEN" }]);
    expect(issue.state).toBe("open");
  });
});

describe("issue.timelineItems", () => {
  it("says who moved the card, and from where", async () => {
    const small = await smallWorld();
    const { issue, item } = card(small, "Task");
    const optionId = option(small.board, "Ready").id;
    setItemStatus(small.world, item, { optionId, actor: small.ada });
    const answer = await data(
      small,
      `query($number: Int!) { repository(owner: "acme", name: "app") { issue(number: $number) {
        timelineItems(last: 5, itemTypes: [PROJECT_V2_ITEM_STATUS_CHANGED_EVENT]) { nodes { __typename
          ... on ProjectV2ItemStatusChangedEvent { actor { login } previousStatus status createdAt project { number } }
        } } } } }`,
      { variables: { number: issue.number } },
    );
    expect(answer).toMatchObject({
      repository: {
        issue: {
          timelineItems: {
            nodes: [
              {
                __typename: "ProjectV2ItemStatusChangedEvent",
                actor: { login: "ada" },
                previousStatus: "",
                status: "Ready",
                project: { number: 1 },
              },
            ],
          },
        },
      },
    });
  });

  it("says who added the card and who took it off, on which board", async () => {
    const small = await smallWorld();
    const { issue, item } = card(small, "Task");
    const column = option(small.board, "Ready");
    deleteItem(small.world, item, small.ada);
    addItem(small.world, small.board, { content: issue, actor: small.ada, column });
    const answer = await data(
      small,
      `query($number: Int!) { repository(owner: "acme", name: "app") { issue(number: $number) {
        timelineItems(last: 5, itemTypes: [ADDED_TO_PROJECT_V2_EVENT, REMOVED_FROM_PROJECT_V2_EVENT, PROJECT_V2_ITEM_STATUS_CHANGED_EVENT]) {
          nodes { __typename
            ... on AddedToProjectV2Event { actor { login } wasAutomated project { number } }
            ... on RemovedFromProjectV2Event { actor { login } wasAutomated project { number } }
        } }
        projectItems(first: 1) { nodes { status: fieldValueByName(name: "Status") {
          ... on ProjectV2ItemFieldSingleSelectValue { name } } } }
      } } }`,
      { variables: { number: issue.number } },
    );
    const by = { wasAutomated: false, project: { number: 1 } };
    const added = { __typename: "AddedToProjectV2Event", ...by };
    expect(answer).toMatchObject({
      repository: {
        issue: {
          timelineItems: {
            nodes: [
              added,
              { __typename: "RemovedFromProjectV2Event", ...by, actor: { login: "ada" } },
              { ...added, actor: { login: "ada" } },
            ],
          },
          projectItems: { nodes: [{ status: { name: "Ready" } }] },
        },
      },
    });
  });
});

describe("issue.userContentEdits", () => {
  it("keeps every version of the body, the newest first, and none for a new title", async () => {
    const small = await smallWorld();
    const { issue } = card(small, "Task");
    const opened = issue.body ?? "";
    const read = () =>
      data(
        small,
        `query($number: Int!) { repository(owner: "acme", name: "app") { issue(number: $number) {
          lastEditedAt includesCreatedEdit
          userContentEdits(first: 9) { totalCount nodes { diff editedAt editor { login } } }
        } } }`,
        { variables: { number: issue.number } },
      );
    editIssue(small.world, issue, { title: "Renamed", actor: small.ada });
    expect(await read()).toEqual({
      repository: {
        issue: {
          lastEditedAt: null,
          includesCreatedEdit: false,
          userContentEdits: { totalCount: 0, nodes: [] },
        },
      },
    });
    editIssue(small.world, issue, { body: "second", actor: small.ada });
    editIssue(small.world, issue, { body: "third", actor: small.ada });
    expect(await read()).toMatchObject({
      repository: {
        issue: {
          lastEditedAt: issue.editedAt,
          includesCreatedEdit: true,
          userContentEdits: {
            totalCount: 3,
            nodes: [
              { diff: "third", editedAt: issue.editedAt, editor: { login: "ada" } },
              { diff: "second" },
              { diff: opened, editedAt: issue.createdAt },
            ],
          },
        },
      },
    });
  });
});
