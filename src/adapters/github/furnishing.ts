import type { Furnishing } from "../../ports/inspection.ts";
import { answerOf } from "./answer-of.ts";
import { httpFailureOf } from "./classify.ts";
import { ownerAndRepo } from "./connection.ts";
import type { Connection } from "./connection.ts";

const CREATE_FIELD = /* GraphQL */ `
  mutation CreateField($project: ID!, $name: String!, $type: ProjectV2CustomFieldType!) {
    createProjectV2Field(input: { projectId: $project, name: $name, dataType: $type }) {
      projectV2Field {
        ... on ProjectV2Field {
          id
        }
      }
    }
  }
`;

/** Makes what a set-up lacks on GitHub. */
export function createFurnishing(connection: Connection): Furnishing {
  return {
    createLabel: (repo, label) =>
      answerOf(async () => {
        const client = await connection.client(repo);
        try {
          await client.rest.issues.createLabel({ ...ownerAndRepo(repo), ...label });
        } catch (error) {
          // Somebody made it meanwhile.
          if (httpFailureOf(error)?.status !== 422) throw error;
        }
      }),
    createField: (repo, { project, name, type }) =>
      answerOf(async () => {
        const client = await connection.client(repo);
        await client.graphql(CREATE_FIELD, { project, name, type });
      }),
  };
}
