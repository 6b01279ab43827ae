import type { Issue } from "../../model/issue.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import { fullName } from "../../model/repository.ts";
import { GraphqlProblem } from "./graphql-problem.ts";
import { canSee } from "./viewer.ts";
import type { Viewer } from "./viewer.ts";

type Thread = Issue | PullRequest;
type Test = (thread: Thread, value: string) => boolean;

/** Nobody is asked for a review or mentioned here. */
const NOBODY: Test = () => false;

const QUALIFIERS: Readonly<Record<string, Test>> = {
  repo: ({ repository }, value) => fullName(repository).toLowerCase() === value.toLowerCase(),
  state: (thread, value) => hasState(thread, value),
  is: (thread, value) => isKind(thread, value) ?? hasState(thread, value),
  type: (thread, value) => isKind(thread, value) === true,
  author: ({ author }, value) => author.login === value,
  assignee: ({ assignees }, value) => assignees.some(({ login }) => login === value),
  label: ({ labels }, value) => labels.some(({ name }) => name === value),
  head: (thread, value) => thread.kind === "pull-request" && thread.headRef === value,
  "review-requested": NOBODY,
  mentions: NOBODY,
  sort: () => true,
};

/** Finds issues and pull requests by qualifiers. A word that is not modelled is an error: leaving it out would find too much. */
export function searchThreads(viewer: Viewer, query: string): readonly Thread[] {
  const wanted = query
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => testFor(word, viewer));
  return [...viewer.world.threads.values()]
    .filter((thread) => canSee(viewer, thread.repository) && wanted.every((test) => test(thread)))
    .toReversed();
}

function testFor(word: string, { user }: Viewer): (thread: Thread) => boolean {
  const [, name = "", value = ""] = /^([a-z-]+):"?([^"]+)"?$/.exec(word) ?? [];
  const test = QUALIFIERS[name];
  if (test === undefined) {
    throw new GraphqlProblem("UNPROCESSABLE", `the local GitHub does not search for ${word}`);
  }
  const meant = value === "@me" ? user.login : value;
  return (thread) => test(thread, meant);
}

function isKind(thread: Thread, value: string): boolean | undefined {
  if (value === "pr") return thread.kind === "pull-request";
  return value === "issue" ? thread.kind === "issue" : undefined;
}

function hasState(thread: Thread, value: string): boolean {
  if (value === "merged") return thread.kind === "pull-request" && thread.landing !== null;
  return thread.state === value;
}
