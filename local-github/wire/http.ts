import type { IncomingMessage } from "node:http";

export interface HttpRequest {
  readonly method: string;
  /** The URL is absolute, without an enterprise server's prefix. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export function jsonResponse(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: body === undefined ? Buffer.alloc(0) : Buffer.from(jsonText(body)),
  };
}

/** No text holds this: it marks a number that is too large for a number of JavaScript. */
const LARGE = "\u{e000}int64:";

function jsonText(body: unknown): string {
  const text = JSON.stringify(body, (_, value: unknown) =>
    typeof value === "bigint" ? `${LARGE}${value}` : value,
  );
  return text.replaceAll(new RegExp(`"${LARGE}(\\d+)"`, "gu"), "$1");
}

/** Parses a body; answers undefined when there is none or it is not JSON. */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    // GitHub, too, treats a body that it cannot parse as no parameters and then misses the required ones.
    return undefined;
  }
}
