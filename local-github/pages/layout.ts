import { createHash } from "node:crypto";
import type { HttpResponse } from "../wire/http.ts";
import { Html, html } from "./html.ts";
import { REFRESH_SCRIPT } from "./refresh-script.ts";
import { STYLE } from "./style.ts";

export interface Page {
  readonly title: string;
  readonly width: "wide" | "narrow";
  readonly main: Html;
}

/** Lets only our one sheet and our one script run, wherever a page's words come from. */
const POLICY = [
  "default-src 'none'",
  `style-src '${digest(STYLE)}'`,
  `script-src '${digest(REFRESH_SCRIPT)}'`,
  "img-src data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  // Without a referrer a browser sends a form's origin as "null", which could be anyone's.
  "referrer-policy": "same-origin",
};

export function pageResponse(status: number, page: Page): HttpResponse {
  return { status, headers: HEADERS, body: Buffer.from(documentOf(page).markup) };
}

export function redirect(path: string): HttpResponse {
  return { status: 303, headers: { location: path }, body: Buffer.alloc(0) };
}

function documentOf({ title, width, main }: Page): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${new Html(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <a class="skip" href="#main">To the content</a>
        <header class="${width}">
          <nav aria-label="Pages"><a href="/">Local GitHub</a></nav>
          <p>on this machine only, for as long as the command runs</p>
        </header>
        <main id="main" class="${width}">${main}</main>
        <p id="ended" role="status" hidden>
          The command has ended or does not answer: this page shows the last state that it saw.
        </p>
        ${new Html(`<script>${REFRESH_SCRIPT}</script>`)}
      </body>
    </html>`;
}

function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
