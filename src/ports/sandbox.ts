import type { Network } from "../domain/network/network.ts";
import type { Result } from "../shared/result.ts";

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
  /** Its whole environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** What it may reach. */
  readonly network: Network;
  /** A folder that it cannot write, for the only way out of a network of named hosts. */
  readonly gate: string;
}

/** Keeps a command away from the app's key, its data and its neighbours. */
export interface Sandbox {
  readonly level: "bubblewrap" | "container" | "none";
  /**
   * Of level `none`: what keeps the processes of a command together, so that none outlives it, or why nothing does. A user namespace
   * takes setuid programs their rights. The other levels have namespaces of their own.
   */
  readonly processes?: Result<"pid-namespace" | "user-namespace", string>;
  wrap(argv: readonly string[], view: SandboxView): readonly string[];
  /** Ends what a command left where no process of this host shows it; nothing is fine. */
  readonly end?: (marker: string) => Promise<void>;
}
