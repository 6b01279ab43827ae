import type { HttpRequest } from "../wire/http.ts";

export function formOf({ body }: HttpRequest): URLSearchParams {
  return new URLSearchParams(body.toString("utf8"));
}

/** A form sends line breaks as two characters. */
export function wordsOf(form: URLSearchParams): string {
  return (form.get("words") ?? "").replaceAll("\r\n", "\n").trim();
}
