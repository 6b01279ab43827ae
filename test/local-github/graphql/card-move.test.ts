import { describe, expect, it } from "vitest";
import { ask, card, data, option, smallWorld } from "./small-world.ts";

const MOVE = `mutation Move($input: UpdateProjectV2ItemFieldValueInput!) {
  updateProjectV2ItemFieldValue(input: $input) { clientMutationId
    projectV2Item { fieldValueByName(name: "Status") { ... on ProjectV2ItemFieldSingleSelectValue { name } } } } }`;

async function readyMove() {
  const small = await smallWorld();
  const { item } = card(small, "Task");
  small.events.length = 0;
  const status = small.board.fields.find((field) => field.name === "Status")!;
  const input = {
    projectId: small.board.nodeId,
    itemId: item.nodeId,
    fieldId: status.nodeId,
    value: { singleSelectOptionId: option(small.board, "Ready").id },
    clientMutationId: "move-1",
  };
  return { small, item, input };
}

describe("updateProjectV2ItemFieldValue", () => {
  it("moves a card and tells it, with where it was and who moved it", async () => {
    const { small, item, input } = await readyMove();
    expect(await data(small, MOVE, { variables: { input } })).toEqual({
      updateProjectV2ItemFieldValue: {
        clientMutationId: "move-1",
        projectV2Item: { fieldValueByName: { name: "Ready" } },
      },
    });
    expect(small.events).toEqual([
      expect.objectContaining({
        name: "projects_v2_item",
        action: "edited",
        item,
        from: null,
        to: option(small.board, "Ready"),
        sender: small.world.app.bot,
      }),
    ]);
  });

  it("refuses an option of another field in GitHub's words", async () => {
    const { small, input } = await readyMove();
    const answer = await ask(small, MOVE, {
      variables: { input: { ...input, value: { singleSelectOptionId: "00000000" } } },
    });
    expect(answer).toMatchObject({
      data: { updateProjectV2ItemFieldValue: null },
      errors: [
        {
          type: "VALIDATION",
          path: ["updateProjectV2ItemFieldValue"],
          message: "The single select option Id does not belong to the field",
        },
      ],
    });
    expect(small.events).toEqual([]);
  });

  it("refuses a value of another type than the field's", async () => {
    const { small, input } = await readyMove();
    const answer = await ask(small, MOVE, {
      variables: { input: { ...input, value: { text: "Ready" } } },
    });
    expect(answer.errors).toMatchObject([{ type: "VALIDATION" }]);
  });

  it("refuses a token that may only read projects, with HTTP 200 and FORBIDDEN", async () => {
    const { small, input } = await readyMove();
    const token = { permissions: { organization_projects: "read" } } as const;
    const answer = await ask(small, MOVE, { variables: { input }, token });
    expect(answer).toMatchObject({
      data: { updateProjectV2ItemFieldValue: null },
      errors: [{ type: "FORBIDDEN", message: "Resource not accessible by integration" }],
    });
  });

  it("does not know an item that is not there", async () => {
    const { small, input } = await readyMove();
    const answer = await ask(small, MOVE, { variables: { input: { ...input, itemId: "PVTI_x" } } });
    expect(answer.errors).toMatchObject([
      {
        type: "NOT_FOUND",
        message: "Could not resolve to a node with the global id of 'PVTI_x'",
      },
    ]);
  });
});

describe("board mutations", () => {
  it("clears a column", async () => {
    const { small, input } = await readyMove();
    await data(small, MOVE, { variables: { input } });
    const { projectId, itemId, fieldId } = input;
    const answer = await data(
      small,
      `mutation($input: ClearProjectV2ItemFieldValueInput!) { clearProjectV2ItemFieldValue(input: $input) {
        projectV2Item { fieldValueByName(name: "Status") { __typename } } } }`,
      { variables: { input: { projectId, itemId, fieldId } } },
    );
    expect(answer).toEqual({
      clearProjectV2ItemFieldValue: { projectV2Item: { fieldValueByName: null } },
    });
  });

  it("creates a field and fills it", async () => {
    const { small, item } = await readyMove();
    const created = await data(
      small,
      `mutation($input: CreateProjectV2FieldInput!) { createProjectV2Field(input: $input) {
        projectV2Field { ... on ProjectV2Field { id dataType } } } }`,
      { variables: { input: { projectId: small.board.nodeId, name: "Wave", dataType: "NUMBER" } } },
    );
    const { id } = (created as { createProjectV2Field: { projectV2Field: { id: string } } })
      .createProjectV2Field.projectV2Field;
    const input = {
      projectId: small.board.nodeId,
      itemId: item.nodeId,
      fieldId: id,
      value: { number: 3 },
    };
    await data(small, MOVE, { variables: { input } });
    const answer = await data(
      small,
      `query($id: ID!) { node(id: $id) { ... on ProjectV2Item {
        fieldValueByName(name: "wave") { ... on ProjectV2ItemFieldNumberValue { number } }
        fieldValues(first: 5) { nodes { __typename } } } } }`,
      { variables: { id: item.nodeId } },
    );
    expect(answer).toEqual({
      node: {
        fieldValueByName: { number: 3 },
        fieldValues: {
          nodes: [
            { __typename: "ProjectV2ItemFieldTextValue" },
            { __typename: "ProjectV2ItemFieldNumberValue" },
          ],
        },
      },
    });
  });

  it("answers the item that a board already has when its content is added again", async () => {
    const { small, item } = await readyMove();
    const variables = {
      input: { projectId: small.board.nodeId, contentId: item.content.nodeId },
    };
    const answer = await data(
      small,
      `mutation($input: AddProjectV2ItemByIdInput!) { addProjectV2ItemById(input: $input) { item { id } } }`,
      { variables },
    );
    expect(answer).toEqual({ addProjectV2ItemById: { item: { id: item.nodeId } } });
    expect(small.events).toEqual([]);
  });

  it("archives a card", async () => {
    const { small, item } = await readyMove();
    const variables = { input: { projectId: small.board.nodeId, itemId: item.nodeId } };
    const answer = await data(
      small,
      `mutation($input: ArchiveProjectV2ItemInput!) { archiveProjectV2Item(input: $input) { item { isArchived } } }`,
      { variables },
    );
    expect(answer).toEqual({ archiveProjectV2Item: { item: { isArchived: true } } });
    expect(small.events).toMatchObject([{ name: "projects_v2_item", action: "archived" }]);
  });
});
