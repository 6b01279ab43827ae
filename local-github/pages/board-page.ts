import { statusField, statusName } from "../actions/threads/projects.ts";
import type { Project, ProjectItem } from "../model/project.ts";
import type { PullRequest } from "../model/pull-request.ts";
import { fullName } from "../model/repository.ts";
import type { World } from "../model/world.ts";
import { html } from "./html.ts";
import type { Html } from "./html.ts";
import { newCardForm } from "./issue-forms.ts";
import type { Page } from "./layout.ts";
import type { ReviewDesk } from "./pull-page.ts";
import { checksState, labelChips, pullState, reviewsState, threadPath } from "./thread-parts.ts";

/** Shows pull requests first: they are what waits for a person. */
export function boardPage(world: World, desk: ReviewDesk): Page {
  const pulls = [...world.threads.values()].filter((thread) => thread.kind === "pull-request");
  const open = pulls.filter(({ state }) => state === "open");
  const past = pulls.filter(({ state }) => state === "closed").reverse();
  const repositories = [...world.repositories.values()].map(fullName).join(", ");
  const main = html`<h1>${repositories || "No repository yet"}</h1>
    <div id="open" data-live>
      ${pullsSection("Open pull requests", "None is open.", rows(world, open))}
    </div>
    ${world.projects.map(boardSection)} ${newCardForm(world, desk)}
    <div id="past" data-live>
      ${pullsSection("Earlier pull requests", "None yet.", rows(world, past))}
    </div>`;
  return { title: "Board – Local GitHub", width: "wide", main };
}

function pullsSection(title: string, none: string, found: readonly Html[]): Html {
  const table = html`<div class="scroll" tabindex="0" role="group" aria-label="${title}">
    <table>
      <thead>
        <tr>
          <th scope="col">Pull request</th>
          <th scope="col">State</th>
          <th scope="col">Review</th>
          <th scope="col">Checks</th>
          <th scope="col">Lines</th>
        </tr>
      </thead>
      <tbody>
        ${found}
      </tbody>
    </table>
  </div>`;
  return html`<section aria-label="${title}">
    <h2>${title} <span class="number">${found.length}</span></h2>
    ${found.length === 0 ? html`<p class="soft">${none}</p>` : table}
  </section>`;
}

function rows(world: World, pulls: readonly PullRequest[]): readonly Html[] {
  return pulls.map((pull) => {
    const { additions, deletions } = pull.stats;
    return html`<tr>
      <td class="title">
        <a href="${threadPath(pull)}"
          ><span class="number">#${pull.number}</span> <bdi>${pull.title}</bdi></a
        >
      </td>
      <td>${pullState(pull)}</td>
      <td data-label="Review">${reviewsState(pull)}</td>
      <td data-label="Checks">${checksState(world, pull)}</td>
      <td><span class="go">+${additions}</span> <span class="stop">−${deletions}</span></td>
    </tr>`;
  });
}

function boardSection(project: Project): Html {
  const names = [null, ...statusField(project).options.map(({ name }) => name)];
  const shown = project.items.filter(({ archivedAt }) => archivedAt === null);
  const columns = names.map((name, at) => {
    const items = shown.filter((item) => statusName(item) === name);
    return column(name, items, `column-${project.id}-${at}`);
  });
  return html`<section aria-label="${project.title}">
    <h2><bdi>${project.title}</bdi></h2>
    <div class="board" tabindex="0" role="group" aria-label="Columns">${columns}</div>
  </section>`;
}

function column(name: string | null, items: readonly ProjectItem[], id: string): Html {
  const title = name ?? "No status";
  const unused = name === null && items.length === 0;
  return html`<section
    class="column"
    id="${id}"
    data-live
    aria-label="${title}"
    ${unused ? html`hidden` : html``}
  >
    <h3><bdi>${title}</bdi> <span class="number">${items.length}</span></h3>
    <ol>
      ${items.map(card)}
    </ol>
  </section>`;
}

function card({ content }: ProjectItem): Html {
  if (content.kind === "draft-issue")
    return html`<li class="card"><bdi>${content.title}</bdi></li>`;
  return html`<li class="card">
    <a href="${threadPath(content)}"
      ><span class="number">#${content.number}</span> <bdi>${content.title}</bdi></a
    >
    <div>${labelChips(content.labels)}</div>
  </li>`;
}
