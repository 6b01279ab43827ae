import type { Network } from "../domain/network/network.ts";
import type { FolderFacts, StoreFacts } from "../ports/host-inspection.ts";
import type { Sandbox } from "../ports/sandbox.ts";
import type { Result } from "../shared/result.ts";

export interface RunnerFacts {
  readonly name: string;
  /** What its command begins with; undefined when that cannot be told. */
  readonly program: string | undefined;
  /** Undefined when it is not on the PATH. */
  readonly path: string | undefined;
  /** What the program says of itself, as a run would hear it; undefined when it was not asked. */
  readonly version: Result<string, string> | undefined;
  /** Variables that the operator's file names and that are not set. */
  readonly unset: readonly string[];
  /** Why it must not run here. */
  readonly unsafe: string | undefined;
  /** What it may reach. */
  readonly network: Network;
}

export interface IdentityFacts {
  readonly appId: number;
  readonly source: "environment" | "file";
  /** Of the file that holds it: whether others can read it. */
  readonly exposed: string | undefined;
}

/** This machine, the operator's file and the environment. */
export interface HostFacts {
  readonly node: string;
  readonly git: Result<string, string>;
  readonly configFile: string;
  /** One line for each thing that is wrong with the operator's file. */
  readonly configProblems: readonly string[];
  readonly identity: Result<IdentityFacts, readonly string[]>;
  /** Undefined when the operator's file cannot be used. */
  readonly place: PlaceFacts | undefined;
}

/** What can be looked at once the operator's file is read. */
export interface PlaceFacts {
  readonly folder: FolderFacts;
  readonly minFreeDisk: number;
  readonly store: StoreFacts;
  /** What was put aside or is in the way, a sentence each, and what else a running server has to say of itself. */
  readonly oddities: readonly string[];
  readonly sandbox: Result<Pick<Sandbox, "level" | "processes">, string>;
  readonly runners: readonly RunnerFacts[];
}
