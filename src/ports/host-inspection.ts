/** A folder that the app would use. */
export interface FolderFacts {
  readonly path: string;
  readonly exists: boolean;
  /** Why nothing can be written there. */
  readonly unwritable: string | undefined;
  readonly freeBytes: number | undefined;
}

/** `held`: by a running server, as it should be. */
export type StoreFacts =
  | { readonly state: "new" | "good" }
  | { readonly state: "held" | "unusable"; readonly reason: string };
