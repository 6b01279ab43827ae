import { Person } from "../actions/person.ts";
import type { Issue } from "../model/issue.ts";
import { Problem } from "../model/problem.ts";
import type { PullRequest } from "../model/pull-request.ts";
import type { World } from "../model/world.ts";
import type { HttpRequest, HttpResponse } from "../wire/http.ts";
import { boardPage } from "./board-page.ts";
import { formOf, wordsOf } from "./form.ts";
import { submitCard, submitOnIssue } from "./issue-forms.ts";
import { issuePage } from "./issue-page.ts";
import { pageResponse, redirect } from "./layout.ts";
import { pullPage } from "./pull-page.ts";
import type { ReviewDesk } from "./pull-page.ts";
import { threadPath } from "./thread-parts.ts";

/** Takes what was sent from the form of an issue's or a pull request's page; a refusal shows the page again with the words kept. */
export async function submitForm(
  world: World,
  request: HttpRequest,
  { thread, desk }: { readonly thread: Issue | PullRequest; readonly desk: ReviewDesk },
): Promise<HttpResponse> {
  const form = formOf(request);
  try {
    if (thread.kind === "issue") submitOnIssue(world, thread, { form, desk });
    else submit(world, thread, { form, desk });
    return redirect(threadPath(thread));
  } catch (error) {
    const { status, why } = refusalOf(error);
    const told = { ...desk, refused: { why, words: wordsOf(form) } };
    const page =
      thread.kind === "issue" ? issuePage(world, thread, told) : pullPage(world, thread, told);
    return pageResponse(status, await page);
  }
}

/** Takes a new card from the board's page. */
export function submitBoard(world: World, request: HttpRequest, desk: ReviewDesk): HttpResponse {
  const form = formOf(request);
  try {
    return redirect(threadPath(submitCard(world, form, desk)));
  } catch (error) {
    const { status, why } = refusalOf(error);
    const told = { ...desk, refused: { why, words: wordsOf(form) } };
    return pageResponse(status, boardPage(world, told));
  }
}

function refusalOf(error: unknown): { readonly status: number; readonly why: string } {
  if (!(error instanceof Problem)) throw error;
  return { status: error.status, why: error.message };
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
