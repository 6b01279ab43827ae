import type { RepoName } from "../domain/ids.ts";

/** Tells all processes of a store that a repository has news. A hint: one may be lost, and a timer finds what it was about. */
export interface WakeUps {
  /** `undefined` stands for every repository. */
  notify(repo: RepoName | undefined): Promise<void>;
  /** `undefined` stands for every repository: some hints may have been missed. Returns how to stop listening. */
  onWake(listener: WakeListener): () => void;
}

export type WakeListener = (repo: RepoName | undefined) => void;
