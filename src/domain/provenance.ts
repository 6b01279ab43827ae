/** A deed is one thing that somebody did to an issue, as GitHub's own records tell it. */
export interface Deed {
  /** It is undefined for an account that is gone, and for a record that cannot be read. */
  readonly by: string | undefined;
  /** A rule of the board or another program did it, in nobody's name. */
  readonly automated: boolean;
  readonly at: number;
}

export interface Edit extends Deed {
  readonly what: "text" | "title" | "labels";
}

/**
 * Says where somebody put the card on the watched board: into Ready, into another column of ours, into any other column,
 * onto the board, off it. Closing an issue takes it away, too.
 */
export interface Move extends Deed {
  readonly to: "ready" | "ours" | "away" | "added" | "gone" | "closed" | "reopened";
}

/** Says how an issue came to be work, and what was done to it since. Deeds of the app itself are left out. */
export interface Provenance {
  /** The oldest comes first. */
  readonly moves: readonly Move[];
  readonly edits: readonly Edit[];
  /** All deeds after this moment are in the lists; GitHub does not tell everything at once. */
  readonly completeSince: number;
}

/** Somebody with the right to it said that an issue is to be done as it was at that moment. */
export interface Gesture {
  readonly by: string;
  readonly at: number;
}

/** This is a gesture with the hash of the title and body that it stands for. */
export interface Acceptance extends Gesture {
  readonly text: string;
}
