import type { CheckRun } from "../model/check.ts";
import {
  checkedCommit,
  latestRuns,
  latestStatuses,
  runVerdict,
  statusVerdict,
  worst,
} from "../model/checks-of.ts";
import type { Verdict } from "../model/checks-of.ts";
import type { Comment, Thread } from "../model/issue.ts";
import { standingReviews } from "../model/pull-request.ts";
import type { PullRequest, Review } from "../model/pull-request.ts";
import { fullName } from "../model/repository.ts";
import type { Label, Repository } from "../model/repository.ts";
import type { World } from "../model/world.ts";
import { html } from "./html.ts";
import type { Html } from "./html.ts";
import { renderWords } from "./rendered-words.ts";

export function repositoryPath(repository: Repository): string {
  return `/${fullName(repository).split("/").map(encodeURIComponent).join("/")}`;
}

export function threadPath(thread: Thread): string {
  const kind = thread.kind === "issue" ? "issues" : "pull";
  return `${repositoryPath(thread.repository)}/${kind}/${thread.number}`;
}

export function labelChips(labels: readonly Label[]): readonly Html[] {
  return labels.map(({ name }) => html`<span class="chip"><bdi>${name}</bdi></span>`);
}

/** Shows words that someone wrote, with who and when. */
export function sheet(
  words: { readonly by: string; readonly at: string; readonly body: string },
  repository: Repository,
  mark: Html = html``,
): Html {
  const body =
    words.body.trim() === "" ? html`` : renderWords(words.body, repositoryPath(repository));
  return html`<article class="sheet">
    <p class="by">
      <strong>${words.by}</strong>
      <time datetime="${words.at}">${readableTime(words.at)}</time> ${mark}
    </p>
    ${body}
  </article>`;
}

/** GitHub's times have seconds and are in UTC. */
function readableTime(at: string): string {
  return at.replace("T", " ").replace("Z", " UTC");
}

export function commentSheet(comment: Comment, repository: Repository): Html {
  const { author, createdAt, body } = comment;
  return sheet({ by: author.login, at: createdAt, body }, repository);
}

export function pullState(pull: PullRequest): Html {
  if (pull.landing !== null) return state("past", "Merged");
  if (pull.state === "closed") return state("stop", "Closed");
  return pull.draft ? state("soft", "Draft") : state("go", "Open");
}

const VERDICTS: Readonly<Record<Verdict, readonly [Tone, string]>> = {
  missing: ["soft", "None yet"],
  pending: ["wait", "Pending"],
  failing: ["stop", "Failing"],
  passing: ["go", "Passing"],
};

/** Sums up all checks of a pull request in one word. */
export function checksState(world: World, pull: PullRequest): Html {
  const { repository } = pull;
  const sha = checkedCommit(world, pull);
  const verdict = worst([
    ...latestRuns(world, repository, sha).map(runVerdict),
    ...latestStatuses(world, repository, sha).map(statusVerdict),
  ]);
  return state(...VERDICTS[verdict]);
}

export function checkRunState(run: CheckRun): Html {
  const [tone] = VERDICTS[runVerdict(run)];
  return state(tone, (run.conclusion ?? run.status).replaceAll("_", " "));
}

export function reviewsState(pull: PullRequest): Html {
  const states = standingReviews(pull).map((review) => review.state);
  if (states.includes("CHANGES_REQUESTED")) return state("stop", "Changes requested");
  if (states.includes("APPROVED")) return state("go", "Approved");
  return pull.state === "open" ? state("wait", "Waits for review") : state("soft", "None");
}

const REVIEWS: Readonly<Record<Review["state"], readonly [Tone, string]>> = {
  APPROVED: ["go", "Approved"],
  CHANGES_REQUESTED: ["stop", "Changes requested"],
  COMMENTED: ["soft", "Commented"],
  DISMISSED: ["soft", "Dismissed"],
  PENDING: ["soft", "Pending"],
};

export function reviewState(review: Review): Html {
  return state(...REVIEWS[review.state]);
}

type Tone = "go" | "stop" | "wait" | "past" | "soft";

export function state(tone: Tone, words: string): Html {
  return html`<span class="state ${tone}">${words}</span>`;
}
