import { statusName } from "../actions/threads/projects.ts";
import { closingReferences } from "../model/closing-references.ts";
import { itemsWith, pullsOf } from "../model/find.ts";
import type { Issue } from "../model/issue.ts";
import type { World } from "../model/world.ts";
import { html } from "./html.ts";
import type { Html } from "./html.ts";
import { issueForm } from "./issue-forms.ts";
import type { Page } from "./layout.ts";
import type { ReviewDesk } from "./pull-page.ts";
import { commentSheet, labelChips, pullState, sheet, state, threadPath } from "./thread-parts.ts";

export function issuePage(world: World, issue: Issue, desk: ReviewDesk): Page {
  const { repository, author, createdAt, body } = issue;
  const main = html`<h1><bdi>${issue.title}</bdi> <span class="number">#${issue.number}</span></h1>
    <div id="live" data-live>
      <p class="about">
        ${issueState(issue)} ${columns(world, issue)} ${labelChips(issue.labels)}
        ${pullLinks(world, issue)}
      </p>
      ${sheet({ by: author.login, at: createdAt, body: body ?? "" }, repository)}
      <h2>Comments <span class="number">${issue.comments.length}</span></h2>
      ${issue.comments.map((comment) => commentSheet(comment, repository))}
    </div>
    <section aria-label="Your word">${issueForm(world, issue, desk)}</section>`;
  return { title: `${issue.title} · #${issue.number}`, width: "narrow", main };
}

function issueState(issue: Issue): Html {
  return issue.state === "open" ? state("go", "Open") : state("past", "Closed");
}

function columns(world: World, issue: Issue): readonly Html[] {
  return itemsWith(world, issue).map(
    (item) => html`<span>in <strong>${statusName(item) ?? "no column"}</strong></span>`,
  );
}

function pullLinks(world: World, issue: Issue): readonly Html[] {
  return pullsOf(world, issue.repository)
    .filter((pull) => closingReferences(world, pull.repository, pull.body ?? "").includes(issue))
    .map(
      (pull) =>
        html`<a href="${threadPath(pull)}">Pull request #${pull.number}</a> ${pullState(pull)}`,
    );
}
