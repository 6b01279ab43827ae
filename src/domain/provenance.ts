/** One thing that somebody did to an issue, as GitHub's own records tell it. */
export interface Deed {
  /** Undefined for an account that is gone. */
  readonly by: string | undefined;
  /** Done by a rule of the board or by another program, in nobody's name. */
  readonly automated: boolean;
  readonly at: number;
}

export interface Edit extends Deed {
  readonly what: "text" | "title" | "labels";
}

/** How an issue came to be work, and what was done to it since. */
export interface Provenance {
  /** The last time that someone other than the app made it ready; undefined when the records show nobody. */
  readonly madeReady: Deed | undefined;
  /** By others than the app. Of the text only the last edit is on record. */
  readonly edits: readonly Edit[];
}
