import { Octokit } from "@octokit/rest";
import type { Answer, SetupWriter } from "../../../ports/inspection.ts";
import { ownerAndRepo } from "../connection/connection.ts";
import { withApiVersion } from "../connection/api-version.ts";
import type { Connection } from "../connection/connection.ts";
import { httpFailureOf } from "../connection/github-failure.ts";
import { withTimeout } from "../connection/request-timeout.ts";
import { answerOf } from "./answer-of.ts";

/** It describes an app that was just made. GitHub tells the secrets only this once. */
export interface MadeApp {
  readonly appId: number;
  readonly slug: string;
  readonly page: string;
  readonly privateKey: string;
  /** It is undefined when the app's webhook is off. */
  readonly webhookSecret: string | undefined;
}

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

const ignore = (): undefined => undefined;

const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Creates the labels and fields that a set-up lacks on GitHub. */
export function createSetupWriter(connection: Connection): SetupWriter {
  return {
    createLabel: (repo, label) =>
      answerOf(async () => {
        const client = await connection.client(repo);
        try {
          await client.rest.issues.createLabel({ ...ownerAndRepo(repo), ...label });
        } catch (error) {
          // Status 422 means that somebody made the label meanwhile.
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

/** Exchanges the code that GitHub sent, after a person agreed to the manifest, for the new app. */
export function convertManifest(apiUrl: string, code: string): Promise<Answer<MadeApp>> {
  const octokit = new Octokit({ baseUrl: apiUrl, log: SILENT });
  withTimeout(octokit);
  withApiVersion(octokit);
  return answerOf(async () => {
    const { data } = await octokit.rest.apps.createFromManifest({ code });
    return {
      appId: data.id,
      slug: data.slug ?? data.name,
      page: data.html_url,
      privateKey: data.pem,
      webhookSecret: data.webhook_secret ?? undefined,
    };
  });
}
