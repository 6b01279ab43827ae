import type { HttpRequest } from "../wire/http.ts";

export function formOf({ body }: HttpRequest): URLSearchParams {
  return new URLSearchParams(body.toString("utf8"));
}
