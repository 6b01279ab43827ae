import type { RepoName } from "../domain/ids.ts";

/** Says what a notice is about. New lines replace the old ones of the same topic. */
export type NoticeTopic =
  | "access"
  | "base"
  | "board"
  | "configuration"
  | "visibility"
  | "objectives"
  | "lfs"
  | "tree"
  | "trouble";

/** Keeps what people must put right in a repository. Each notice is logged once, and the status shows it as long as it holds. */
export interface Notices {
  set(repo: RepoName, topic: NoticeTopic, lines: readonly string[]): void;
  /** Adds a notice about the server itself, which holds until the server is started again. The caller has logged it. */
  tell(line: string): void;
  ofServer(): readonly string[];
  /** Lists the repositories that have something to put right about the topic. */
  about(topic: NoticeTopic): readonly RepoName[];
  of(repo: RepoName): readonly string[];
}
