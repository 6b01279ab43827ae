import type { RepoContext } from "./deps.ts";
import { problemLine } from "./config/config-problem.ts";
import { boardKind } from "./config/board-kind.ts";
import { mergeConfig } from "./config/merge-config.ts";
import { readRepoConfig } from "./config/read-repo-config.ts";
import type { OperatorConfig } from "./config/schema.ts";
import type { RepoName } from "./domain/ids.ts";
import type { Clock } from "./ports/clock.ts";
import type { GitHub, InstalledRepo } from "./ports/github.ts";
import type { Log } from "./ports/log.ts";
import { AppError } from "./shared/app-error.ts";

/** A push that changes the file tells us; this is for the ones that we did not hear of. */
const REREAD_AFTER_MS = 10 * 60_000;

const NO_FILE = "none";

interface Known {
  readonly repo: InstalledRepo;
  context: RepoContext | undefined;
  /** Of the file that was read last, good or bad. */
  blob: string | undefined;
  readAt: number;
}

export interface SettingsOptions {
  readonly github: GitHub;
  readonly operator: OperatorConfig;
  readonly clock: Clock;
  readonly log: Log;
}

/** The repositories that the app is installed on, each with its configuration. A bad file keeps the last good one. */
export class Settings {
  readonly #options: SettingsOptions;
  #known = new Map<RepoName, Known>();

  constructor(options: SettingsOptions) {
    this.#options = options;
  }

  /** Reads which repositories there are. */
  async discover(): Promise<readonly RepoName[]> {
    const repos = await this.#options.github.listRepos();
    this.#known = new Map(repos.map((repo) => [repo.repo, this.#keep(repo)]));
    return [...this.#known.keys()];
  }

  forget(repo: RepoName): void {
    const known = this.#known.get(repo);
    if (known !== undefined) known.readAt = -Infinity;
  }

  async contextOf(repo: RepoName): Promise<RepoContext> {
    const known = this.#known.get(repo);
    if (known === undefined) {
      throw new AppError("config-invalid", `the app is not installed on ${repo}`);
    }
    const stale = this.#options.clock.now() - known.readAt > REREAD_AFTER_MS;
    if (known.context === undefined || stale) await this.#read(known);
    if (known.context === undefined) {
      throw new AppError("config-invalid", `${repo} has no usable configuration yet`);
    }
    return known.context;
  }

  #keep(repo: InstalledRepo): Known {
    const before = this.#known.get(repo.repo);
    return { context: undefined, blob: undefined, readAt: -Infinity, ...before, repo };
  }

  async #read(known: Known): Promise<void> {
    const { github, clock } = this.#options;
    const file = await github.readConfigFile(known.repo.repo);
    known.readAt = clock.now();
    const blob = file?.sha ?? NO_FILE;
    if (known.blob === blob) return;
    known.blob = blob;
    known.context = this.#contextFrom(known.repo, file?.text ?? "") ?? known.context;
  }

  #contextFrom(installed: InstalledRepo, text: string): RepoContext | undefined {
    const { repo, defaultBranch } = installed;
    const read = readRepoConfig(text, ".github/wavetrain.yml");
    if (!read.ok) {
      const [problem] = read.error;
      const reason = problem === undefined ? "unreadable" : problemLine(problem);
      this.#options.log.error({ repo, reason }, "configuration refused");
      return undefined;
    }
    const fixed = this.#options.operator.repositories[repo] ?? {};
    const merged = mergeConfig(read.value, fixed);
    if (!merged.ok) {
      const reason = `together with the operator's settings: ${merged.error}`;
      this.#options.log.error({ repo, reason }, "configuration refused");
      return undefined;
    }
    const kind = boardKind(merged.value, { ...installed, text, fixed });
    const config = { ...merged.value, board: { ...merged.value.board, kind } };
    return { repo, base: config.base ?? defaultBranch, config };
  }
}
