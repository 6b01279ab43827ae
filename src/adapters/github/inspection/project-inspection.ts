import { ownerOf } from "../../../domain/ids.ts";
import type { RepoName } from "../../../domain/ids.ts";
import type { ProjectFacts } from "../../../ports/inspection.ts";
import type { Connection } from "../connection/connection.ts";
import { graphqlErrorsOf } from "../connection/github-failure.ts";

const QUERY = /* GraphQL */ `
  query Project($owner: String!, $number: Int!) {
    account: organization(login: $owner) {
      projectV2(number: $number) {
        id
        title
        closed
        viewerCanUpdate
        items(first: 1) {
          totalCount
        }
        fields(first: 100) {
          nodes {
            ... on ProjectV2FieldCommon {
              name
              dataType
            }
            ... on ProjectV2SingleSelectField {
              options {
                name
              }
            }
          }
        }
      }
    }
  }
`;

interface ProjectAnswer {
  readonly account: {
    readonly projectV2: {
      readonly id: string;
      readonly title: string;
      readonly closed: boolean;
      readonly viewerCanUpdate: boolean;
      readonly items: { readonly totalCount: number };
      readonly fields: {
        readonly nodes:
          | readonly ({
              readonly name: string;
              readonly dataType: string;
              readonly options?: readonly { readonly name: string }[];
            } | null)[]
          | null;
      };
    } | null;
  } | null;
}

/** Returns undefined when the app can see no such project. */
export async function readProject(
  connection: Connection,
  repo: RepoName,
  number: number,
): Promise<ProjectFacts | undefined> {
  const client = await connection.client(repo);
  try {
    const answer = await client.graphql<ProjectAnswer>(QUERY, { owner: ownerOf(repo), number });
    return projectFrom(answer);
  } catch (error) {
    const hidden = graphqlErrorsOf(error)?.some(({ type }) =>
      ["NOT_FOUND", "FORBIDDEN"].includes(type ?? ""),
    );
    if (hidden === true) return undefined;
    throw error;
  }
}

function projectFrom({ account }: ProjectAnswer): ProjectFacts | undefined {
  const project = account?.projectV2;
  if (project === null || project === undefined) return undefined;
  const fields = (project.fields.nodes ?? []).flatMap((field) =>
    field === null
      ? []
      : [
          {
            name: field.name,
            type: field.dataType,
            options: field.options?.map(({ name }) => name),
          },
        ],
  );
  return {
    id: project.id,
    title: project.title,
    closed: project.closed,
    writable: project.viewerCanUpdate,
    cards: project.items.totalCount,
    fields,
  };
}
