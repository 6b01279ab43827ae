import type { Faults, RequestFacts } from "../../wire/faults.ts";
import type { Answer } from "./route.ts";

const CAN_BE_STALE = new Set(
  [
    "/pulls",
    "/pulls/{pull_number}",
    "/git/ref/{ref}",
    "/git/matching-refs/{ref}",
    "/branches/{branch}",
  ].map((path) => `/repos/{owner}/{repo}${path}`),
);

/** Remembers the answers to reads of pull requests and refs, and gives an old one again when told to be behind. */
export class StaleReads {
  readonly #faults: Faults;
  readonly #answers = new Map<string, Answer>();

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  pass(facts: RequestFacts, url: string, fresh: Answer): Answer {
    if (facts.method !== "GET" || !CAN_BE_STALE.has(facts.route)) return fresh;
    const before = this.#answers.get(url);
    if (before !== undefined && this.#faults.takeStaleRead()) return before;
    this.#answers.set(url, fresh);
    return fresh;
  }
}
