import type { Network } from "../domain/network/network.ts";
import type { Result } from "../shared/result.ts";

/** Says what a command sees of the host, besides the system's programs. */
export interface SandboxView {
  /** The command works here and may write here. */
  readonly workspace: string;
  readonly home: string;
  readonly tmp: string;
  /** The command may also read these paths, which may be inside of those above. */
  readonly readable: readonly string[];
  /** All processes of the command have this marker in their environment. */
  readonly marker: string;
  /** This is the command's whole environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** This says what the command may reach. */
  readonly network: Network;
  /** This folder holds the only way out to named hosts. The command cannot write it. */
  readonly gate: string;
}

/** Keeps a command away from the app's key, its data and its neighbours. */
export interface Sandbox {
  readonly level: "bubblewrap" | "container" | "none";
  /**
   * At level `none` this says what keeps the processes of a command together, so that none outlives it, or why nothing does. In a
   * user namespace, setuid programs lose their rights. The other levels have their own namespaces.
   */
  readonly processes?: Result<"pid-namespace" | "user-namespace", string>;
  wrap(argv: readonly string[], view: SandboxView): readonly string[];
  /** Ends what a command left running where no process of this host shows it. It is fine if there is nothing. */
  readonly end?: (marker: string) => Promise<void>;
}

/** Says whether a command in the sandbox finds what it names. */
export type FoundInside =
  | { readonly kind: "found" }
  /** A program, or a file that it needs, is not there. */
  | { readonly kind: "missing"; readonly name: string }
  | { readonly kind: "untried"; readonly reason: string };
