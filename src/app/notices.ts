import type { RepoName } from "../domain/ids.ts";
import type { Log } from "../ports/log.ts";
import type { NoticeTopic, Notices } from "../ports/notices.ts";

export function createNotices(log: Log): Notices {
  return new LoggedNotices(log);
}

class LoggedNotices implements Notices {
  readonly #log: Log;
  readonly #ofServer: string[] = [];
  readonly #known = new Map<RepoName, Map<NoticeTopic, readonly string[]>>();

  constructor(log: Log) {
    this.#log = log;
  }

  set(repo: RepoName, topic: NoticeTopic, lines: readonly string[]): void {
    const topics = this.#known.get(repo) ?? new Map<NoticeTopic, readonly string[]>();
    this.#known.set(repo, topics);
    const before = new Set(topics.get(topic));
    topics.set(topic, lines);
    for (const notice of lines.filter((line) => !before.has(line))) {
      this.#log.warn({ repo, notice }, NOTICED[topic]);
    }
  }

  tell(line: string): void {
    if (!this.#ofServer.includes(line)) this.#ofServer.push(line);
  }

  ofServer(): readonly string[] {
    return this.#ofServer;
  }

  about(topic: NoticeTopic): readonly RepoName[] {
    return [...this.#known].flatMap(([repo, topics]) =>
      (topics.get(topic) ?? []).length > 0 ? [repo] : [],
    );
  }

  of(repo: RepoName): readonly string[] {
    return [...(this.#known.get(repo)?.values() ?? [])].flat();
  }
}

const NOTICED: Readonly<Record<NoticeTopic, string>> = {
  access: "repository is gone",
  base: "base branch is gone",
  board: "board needs attention",
  configuration: "configuration refused",
  visibility: "repository is public",
  objectives: "objective not carried out",
  lfs: "content of Git LFS is missing",
  tree: "parts are out of reach",
  trouble: "work fails again and again",
};
