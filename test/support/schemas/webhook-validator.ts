import { compileBody } from "./compile-schema.ts";
import type { Check } from "./compile-schema.ts";
import { jsonSchemaOf, openApi } from "./openapi.ts";

export interface Webhook {
  /** As in the `X-GitHub-Event` header: `projects_v2_item`. */
  readonly event: string;
  readonly payload: unknown;
}

const checks = new Map<string, Check | undefined>();

/** What in a payload GitHub's description does not allow, as lines like `webhook issues.opened: /issue/id must be integer`. */
export function webhookViolations(webhook: Webhook): readonly string[] {
  const name = webhookName(webhook);
  const check = checkOf(name);
  if (check === undefined) return [`webhook ${name}: no such event or action`];
  return check(webhook.payload).map((problem) => `webhook ${name}: ${problem}`);
}

function webhookName({ event, payload }: Webhook): string {
  const action = (payload as { readonly action?: unknown } | null)?.action;
  return typeof action === "string" ? `${event}.${action}` : event;
}

function checkOf(name: string): Check | undefined {
  if (!checks.has(name)) checks.set(name, compiled(name));
  return checks.get(name);
}

function compiled(name: string): Check | undefined {
  const documented = openApi()["x-webhooks"][name.replaceAll(/[._]/g, "-")];
  const schema = jsonSchemaOf(documented?.post.requestBody?.content);
  return schema && compileBody(schema);
}
