/** What a command sees of the host, besides the system's programs. */
export interface SandboxView {
  /** Where it works; it may write here. */
  readonly workspace: string;
  readonly home: string;
  readonly tmp: string;
  /** Further paths that it may read, also inside of those above. */
  readonly readable: readonly string[];
  /** What names all that it starts, in their environment. */
  readonly marker: string;
  /** Names of its variables. */
  readonly variables: readonly string[];
}

/** Keeps a command away from the app's key, its data and its neighbours. */
export interface Sandbox {
  readonly level: "bubblewrap" | "container" | "none";
  wrap(argv: readonly string[], view: SandboxView): readonly string[];
  /** Ends what a command left where no process of this host shows it; nothing is fine. */
  readonly end?: (marker: string) => Promise<void>;
}
