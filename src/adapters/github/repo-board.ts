import type { RepoConfig } from "../../config/schema.ts";
import type { RepoReading } from "../../domain/board.ts";
import type { RepoName } from "../../domain/ids.ts";
import type { CardUpdate } from "../../ports/github.ts";

/** Where a repository's cards are, whatever they are made of. */
export interface RepoBoard {
  /** The cards and the open pull requests. */
  read(repo: RepoName, config: RepoConfig): Promise<RepoReading>;
  /** Everything in one call. */
  update(repo: RepoName, config: RepoConfig, wanted: CardUpdate): Promise<void>;
}
