import { Octokit } from "@octokit/rest";
import type { Answer } from "../../ports/inspection.ts";
import { answerOf } from "./answer-of.ts";
import { wantAnswers } from "./want-answers.ts";

/** An app that was just made. GitHub tells its secrets this once. */
export interface MadeApp {
  readonly appId: number;
  readonly slug: string;
  readonly page: string;
  readonly privateKey: string;
  /** Undefined when its webhook is off. */
  readonly webhookSecret: string | undefined;
}

const ignore = (): undefined => undefined;
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Exchanges the code that GitHub sent after a manifest was agreed to. */
export function convertManifest(apiUrl: string, code: string): Promise<Answer<MadeApp>> {
  const octokit = new Octokit({ baseUrl: apiUrl, log: SILENT });
  wantAnswers(octokit);
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
