import { readFilePatches } from "../git/diff.ts";
import { mergeBase } from "../git/history.ts";
import type { User } from "../model/account.ts";
import { checkedCommit, latestRuns, latestStatuses } from "../model/checks-of.ts";
import type { PullRequest } from "../model/pull-request.ts";
import type { World } from "../model/world.ts";
import { diffSection } from "./diff-section.ts";
import { html } from "./html.ts";
import type { Html } from "./html.ts";
import type { Page } from "./layout.ts";
import { renderWords } from "./rendered-words.ts";
import {
  checkRunState,
  commentSheet,
  labelChips,
  pullState,
  repositoryPath,
  reviewsState,
  reviewState,
  sheet,
  state,
} from "./thread-parts.ts";

export interface ReviewDesk {
  /** When undefined, nobody can review here. */
  readonly reviewer: User | undefined;
  readonly token: string;
  /** It says why the review that was just sent was refused, and keeps its words. */
  readonly refused?: { readonly why: string; readonly words: string };
}

export async function pullPage(world: World, pull: PullRequest, desk: ReviewDesk): Promise<Page> {
  const { repository, author, createdAt, body } = pull;
  const main = html`<h1><bdi>${pull.title}</bdi> <span class="number">#${pull.number}</span></h1>
    <div id="head" data-live>
      <p class="about">
        ${pullState(pull)} ${reviewsState(pull)} ${labelChips(pull.labels)}
        <span><code>${pull.headRef}</code> into <code>${pull.baseRef}</code></span>
        ${pull.state === "open" ? html`<a href="#review">To your review</a>` : html``}
      </p>
    </div>
    ${sheet({ by: author.login, at: createdAt, body: body ?? "" }, repository)}
    <section id="diff" data-live data-key="${pull.headSha}" aria-label="Changed files">
      ${diffSection(await patchesOf(pull))}
    </section>
    <section id="checks" data-live aria-label="Checks">${checksSection(world, pull)}</section>
    <section id="talk" data-live aria-label="Reviews and comments">${talkSection(pull)}</section>
    <section id="review" data-live data-key="${pull.state}" aria-label="Your review">
      ${reviewForm(pull, desk)}
    </section>`;
  return { title: `${pull.title} · #${pull.number}`, width: "narrow", main };
}

/** Reads the changes since the branch left its base; a branch that was landed as it is has its base behind it. */
async function patchesOf({ repository, baseSha, headSha }: PullRequest) {
  const from = await mergeBase(repository.dir, baseSha, headSha);
  return readFilePatches(repository.dir, from ?? baseSha, headSha);
}

function checksSection(world: World, pull: PullRequest): Html {
  const { repository } = pull;
  const sha = checkedCommit(world, pull);
  const path = repositoryPath(repository);
  const runs = latestRuns(world, repository, sha).map((run) => {
    const { title, summary } = run.output;
    return html`<article class="sheet">
      <p class="by">
        <strong>${run.name}</strong> ${checkRunState(run)} <span>${title ?? ""}</span>
      </p>
      ${renderWords(summary ?? "", path)}
    </article>`;
  });
  const statuses = latestStatuses(world, repository, sha).map(
    (status) =>
      html`<article class="sheet">
        <p class="by">
          <strong>${status.context}</strong> ${state("soft", status.state)}
          <span>${status.description ?? ""}</span>
        </p>
      </article>`,
  );
  const all = [...runs, ...statuses];
  const which =
    sha === pull.headSha
      ? html``
      : html`<p class="soft">On <code>${sha.slice(0, 7)}</code>, the head before it landed.</p>`;
  return html`<h2>Checks <span class="number">${all.length}</span></h2>
    ${which} ${all.length === 0 ? html`<p class="soft">None on this commit yet.</p>` : all}`;
}

function talkSection({ reviews, comments, repository }: PullRequest): Html {
  const said = [
    ...reviews.map((review) => ({
      at: review.submittedAt,
      sheet: sheet(
        { by: review.author.login, at: review.submittedAt, body: review.body },
        repository,
        html`${reviewState(review)} <span>of <code>${review.commitSha.slice(0, 7)}</code></span>`,
      ),
    })),
    ...comments.map((comment) => ({
      at: comment.createdAt,
      sheet: commentSheet(comment, repository),
    })),
  ].sort((a, b) => a.at.localeCompare(b.at));
  return html`<h2>Reviews and comments <span class="number">${said.length}</span></h2>
    ${said.length === 0 ? html`<p class="soft">None yet.</p>` : said.map((entry) => entry.sheet)}`;
}

function reviewForm(pull: PullRequest, { reviewer, token, refused }: ReviewDesk): Html {
  if (pull.state === "closed" || reviewer === undefined) return html``;
  const alert =
    refused === undefined ? html`` : html`<p class="alert" role="alert">${refused.why}</p>`;
  return html`<h2>Your review</h2>
    ${alert}
    <form method="post">
      <input type="hidden" name="token" value="${token}" />
      <div id="seen" data-live><input type="hidden" name="head" value="${pull.headSha}" /></div>
      <label for="words"
        >What should be different? <span class="number">Optional when you approve</span></label
      >
      <textarea id="words" name="words" maxlength="20000">${refused?.words ?? ""}</textarea>
      <button class="primary" name="verdict" value="approve">Approve</button>
      <button name="verdict" value="request-changes">Request changes</button>
      <span class="soft">as ${reviewer.login}</span>
    </form>`;
}
