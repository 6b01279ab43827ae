/** Something that was said about an attempt: a review, a failed check, a conflict. */
export interface Feedback {
  readonly from: string;
  /** What people see of it, where it was written for a page. */
  readonly text: string;
}

export type ReworkKind = "review" | "checks";

/** Why a run goes on with the pull request of the ones before, instead of starting over. */
export interface Rework {
  readonly kind: ReworkKind;
  /** Names of what it answers: none of it asks for another run once this one went well. */
  readonly answers: readonly string[];
  /** What its prompt says, of trusted people only. */
  readonly feedback: readonly Feedback[];
}
