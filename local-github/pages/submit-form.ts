import { Person } from "../actions/person.ts";
import type { Issue } from "../model/issue.ts";
import { Problem } from "../model/problem.ts";
import type { PullRequest } from "../model/pull-request.ts";
import type { World } from "../model/world.ts";
import type { HttpRequest, HttpResponse } from "../wire/http.ts";
import { formOf } from "./form.ts";
import { pageResponse, redirect } from "./layout.ts";
import { pullPage } from "./pull-page.ts";
import type { ReviewDesk } from "./pull-page.ts";
import { threadPath } from "./thread-parts.ts";

/** Takes a review from the form of a pull request's page; a refusal shows the page again with the words kept. */
export async function submitForm(
  world: World,
  request: HttpRequest,
  { thread, desk }: { readonly thread: Issue | PullRequest; readonly desk: ReviewDesk },
): Promise<HttpResponse> {
  if (thread.kind === "issue") return redirect(threadPath(thread));
  const form = formOf(request);
  try {
    submit(world, thread, { form, desk });
    return redirect(threadPath(thread));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const refused = { why: error.message, words: wordsOf(form) };
    return pageResponse(error.status, await pullPage(world, thread, { ...desk, refused }));
  }
}

function submit(
  world: World,
  pull: PullRequest,
  { form, desk }: { readonly form: URLSearchParams; readonly desk: ReviewDesk },
): void {
  const words = wordsOf(form);
  if (desk.reviewer === undefined) throw new Problem(403, "Nobody can review here.");
  if (pull.state === "closed") throw new Problem(409, "It is closed.");
  // A review is about the commits that were read: new ones may have come since the page was shown.
  if (form.get("head") !== pull.headSha) {
    throw new Problem(409, "New commits have come since you looked: please read again.");
  }
  const person = new Person(world, desk.reviewer);
  const verdict = form.get("verdict");
  if (verdict === "approve") person.approve(pull, words);
  else if (verdict !== "request-changes") throw new Problem(422, "Approve or request changes.");
  else if (words === "") throw new Problem(422, "Say what should be different.");
  else person.requestChanges(pull, words);
}

/** A form sends line breaks as two characters. */
function wordsOf(form: URLSearchParams): string {
  return (form.get("words") ?? "").replaceAll("\r\n", "\n").trim();
}
