import type { Delivery } from "../../../domain/signal.ts";
import type { AttemptList, Deliveries, DeliveryAttempt } from "../../../ports/deliveries.ts";
import type { Connection, Octokit } from "../connection/connection.ts";
import { classify, httpFailureOf } from "../connection/github-failure.ts";

const PAGE_SIZE = 100;
/** 50 pages hold 5,000 attempts, which is three days of a busy organization. More calls would use up the hour's budget. */
const MAX_PAGES = 50;

interface Page {
  readonly attempts: readonly DeliveryAttempt[];
  readonly next: string | undefined;
  readonly version: string | undefined;
}

/** Reads the app's own webhook deliveries, signed in as the app. */
export function createDeliveries(connection: Connection): Deliveries {
  return {
    list: ({ seen, version }) =>
      attempt(connection, "list webhook deliveries", (client) => list(client, seen, version)),
    read: (one) =>
      attempt(connection, "read a webhook delivery", (client) => readDelivery(client, one)),
  };
}

async function attempt<T>(
  connection: Connection,
  attempted: string,
  work: (client: Octokit) => Promise<T>,
): Promise<T> {
  try {
    return await work(await connection.appClient());
  } catch (error) {
    throw classify(error, attempted);
  }
}

async function list(
  client: Octokit,
  seen: string | undefined,
  version: string | undefined,
): Promise<AttemptList> {
  const first = await readFirstPage(client, version);
  if (first === undefined) return { kind: "unchanged" };
  const attempts: DeliveryAttempt[] = [];
  let page: Page = first;
  for (let pages = 1; ; pages += 1) {
    const known = page.attempts.findIndex(({ id }) => id === seen);
    attempts.push(...(known === -1 ? page.attempts : page.attempts.slice(0, known)));
    const { next } = page;
    const complete = known !== -1 || next === undefined;
    if (complete || pages === MAX_PAGES) {
      return { kind: "listed", attempts, complete, version: first.version };
    }
    page = await readPage(client, { cursor: next });
  }
}

async function readFirstPage(
  client: Octokit,
  version: string | undefined,
): Promise<Page | undefined> {
  try {
    const headers = version === undefined ? {} : { "if-none-match": version };
    return await readPage(client, { headers });
  } catch (error) {
    if (httpFailureOf(error)?.status === 304) return undefined;
    throw error;
  }
}

async function readPage(
  client: Octokit,
  where: { readonly cursor?: string; readonly headers?: Record<string, string> },
): Promise<Page> {
  const asked = { per_page: PAGE_SIZE, ...where };
  const { data, headers } = await client.rest.apps.listWebhookDeliveries(asked);
  return {
    attempts: data.map((item) => ({
      // The client gives a BigInt, whatever its types say, for a number that is too large for them.
      id: String(item.id),
      guid: item.guid,
      event: item.event,
      answered: item.status_code >= 200 && item.status_code < 300,
    })),
    next: nextCursor(headers.link),
    version: headers.etag,
  };
}

function nextCursor(link: string | undefined): string | undefined {
  const next = /<([^>]+)>;\s*rel="next"/.exec(link ?? "")?.[1];
  return next === undefined ? undefined : (new URL(next).searchParams.get("cursor") ?? undefined);
}

async function readDelivery(
  client: Octokit,
  { id, guid, event }: DeliveryAttempt,
): Promise<Delivery | undefined> {
  try {
    const { data } = await client.rest.apps.getWebhookDelivery({ delivery_id: idOf(id) });
    const payload = data.request.payload as Delivery["payload"] | null;
    return payload === null ? undefined : { id: guid, name: event, payload };
  } catch (error) {
    if (httpFailureOf(error)?.status === 404) return undefined;
    throw error;
  }
}

/** The types know numbers only, which would lose the last digits; the id becomes a part of the address as it is. */
function idOf(id: string): number {
  return id as unknown as number;
}
