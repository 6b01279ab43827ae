import type { HttpResponse } from "../http.ts";
import { html } from "./html.ts";
import { pageResponse } from "./layout.ts";

/** A page that says one thing and leads back to the board. */
export function messagePage(status: number, words: string): HttpResponse {
  const main = html`<h1>${words}</h1>
    <p><a href="/">To the board</a></p>`;
  return pageResponse(status, { title: words, width: "narrow", main });
}
