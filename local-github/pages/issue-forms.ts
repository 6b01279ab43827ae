import { Person } from "../actions/person.ts";
import { statusField, statusName } from "../actions/threads/projects.ts";
import { itemsWith } from "../model/find.ts";
import type { Issue } from "../model/issue.ts";
import { Problem } from "../model/problem.ts";
import type { Project } from "../model/project.ts";
import type { World } from "../model/world.ts";
import { wordsOf } from "./form.ts";
import { html } from "./html.ts";
import type { Html } from "./html.ts";
import type { ReviewDesk } from "./pull-page.ts";

/** Lets the person in front of the machine say something on an issue and move its card. */
export function issueForm(
  world: World,
  issue: Issue,
  { reviewer, token, refused }: ReviewDesk,
): Html {
  if (reviewer === undefined) return html``;
  const [item] = itemsWith(world, issue);
  const move =
    item === undefined
      ? html``
      : html`<label for="column">Its card is in</label>
          ${columnChoice(item.project, statusName(item))}
          <button name="act" value="move">Move the card</button>`;
  return html`<h2>Your word</h2>
    ${alert(refused?.why)}
    <form method="post">
      <input type="hidden" name="token" value="${token}" />
      <label for="words">Comment</label>
      <textarea id="words" name="words" maxlength="20000">${refused?.words ?? ""}</textarea>
      <button class="primary" name="act" value="comment">Comment</button>
      ${move} <span class="soft">as ${reviewer.login}</span>
    </form>`;
}

/** Lets the person put a new issue on the first board. */
export function newCardForm(world: World, { reviewer, token, refused }: ReviewDesk): Html {
  const [project] = world.projects;
  if (reviewer === undefined || project === undefined || world.repositories.size === 0)
    return html``;
  return html`<section aria-label="New card">
    ${alert(refused?.why)}
    <details class="file">
      <summary>New card</summary>
      <form method="post">
        <input type="hidden" name="token" value="${token}" />
        <label for="title">Title</label>
        <input id="title" name="title" maxlength="250" />
        <label for="words">Text</label>
        <textarea id="words" name="words" maxlength="20000">${refused?.words ?? ""}</textarea>
        <label for="labels">Labels <span class="number">with commas between</span></label>
        <input id="labels" name="labels" maxlength="250" />
        <label for="column">Column</label>
        ${columnChoice(project, null)}
        <button class="primary" name="act" value="open">Add the card</button>
        <span class="soft">as ${reviewer.login}</span>
      </form>
    </details>
  </section>`;
}

function alert(why: string | undefined): Html {
  return why === undefined ? html`` : html`<p class="alert" role="alert">${why}</p>`;
}

function columnChoice(project: Project, now: string | null): Html {
  const options = statusField(project).options.map(({ name }) =>
    name === now ? html`<option selected>${name}</option>` : html`<option>${name}</option>`,
  );
  return html`<select id="column" name="column">
    ${options}
  </select>`;
}

export function submitOnIssue(
  world: World,
  issue: Issue,
  { form, desk }: { readonly form: URLSearchParams; readonly desk: ReviewDesk },
): void {
  const person = personAt(world, desk);
  const act = form.get("act");
  if (act === "move") person.moveCard(issue, form.get("column") ?? "");
  else if (act !== "comment") throw new Problem(422, "Comment, or move the card.");
  else if (wordsOf(form) === "") throw new Problem(422, "Say something.");
  else person.comment(issue, wordsOf(form));
}

export function submitCard(world: World, form: URLSearchParams, desk: ReviewDesk): Issue {
  const person = personAt(world, desk);
  const title = (form.get("title") ?? "").trim();
  if (title === "") throw new Problem(422, "A card needs a title.");
  const [repo] = world.repositories.values();
  const [project] = world.projects;
  if (repo === undefined || project === undefined) throw new Problem(422, "There is no board.");
  const labels = (form.get("labels") ?? "").split(",").map((label) => label.trim());
  const issue = person.openIssue({
    repo,
    title,
    body: wordsOf(form),
    labels: labels.filter((label) => label !== ""),
  });
  person.addCard(project, issue, form.get("column") ?? "");
  return issue;
}

function personAt(world: World, { reviewer }: ReviewDesk): Person {
  if (reviewer === undefined) throw new Problem(403, "Nobody can do that here.");
  return new Person(world, reviewer);
}
