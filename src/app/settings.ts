import { problemLine } from "../config/read/config-problem.ts";
import { boardKind } from "../config/repository/board-kind.ts";
import {
  mergeConfig,
  readRepoConfig,
  REPO_CONFIG_PATH,
} from "../config/repository/read-repo-config.ts";
import type { OperatorConfig } from "../config/schema/operator-config.ts";
import type { RepoName } from "../domain/ids.ts";
import type { Clock } from "../ports/clock.ts";
import type { RepoContext } from "../ports/deps.ts";
import type { GitHub, InstalledRepo } from "../ports/github.ts";
import type { Notices } from "../ports/notices.ts";
import type { ReadConfigFile } from "../report/publish/publish-config.ts";
import { AppError } from "../shared/app-error.ts";

/** A push tells us that the file changed. We read it again after this time for the pushes that we did not hear of. */
const REREAD_AFTER_MS = 10 * 60_000;

const NO_FILE = "none";
const PERSONAL_PROJECT =
  "no app can see a person's projects: leave board.project out, or set board.kind to labels, or to user-project if the operator allows it";
const PUBLIC =
  "everybody can read what runners write in pull requests and comments; work starts only at the word of someone with write access";

interface ReadContext {
  readonly context: RepoContext | undefined;
  readonly problems: ReadConfigFile["problems"];
}

interface Known {
  readonly repo: InstalledRepo;
  context: RepoContext | undefined;
  /** Names the file that was read last, whether it was good or bad. */
  blob: string | undefined;
  readAt: number;
  /** Says why nothing can be done, whatever the file says. */
  trouble: string | undefined;
}

export interface SettingsOptions {
  readonly github: GitHub;
  readonly operator: OperatorConfig;
  readonly clock: Clock;
  readonly notices: Notices;
  /** Says on GitHub whether a new file can be used. */
  readonly announce: (verdict: ReadConfigFile) => Promise<void>;
}

/** The repositories that the app is installed on, each with its configuration. A bad file keeps the last good one. */
export class Settings {
  readonly #options: SettingsOptions;
  #known = new Map<RepoName, Known>();
  #discoveredAt = -Infinity;

  constructor(options: SettingsOptions) {
    this.#options = options;
  }

  /** Reads which repositories there are. */
  async discover(): Promise<readonly RepoName[]> {
    const repos = await this.#options.github.listRepos();
    this.#discoveredAt = this.#options.clock.now();
    this.#known = new Map(repos.map((repo) => [repo.repo, this.#keep(repo)]));
    return [...this.#known.keys()];
  }

  forget(repo: RepoName): void {
    const known = this.#known.get(repo);
    if (known !== undefined) known.readAt = -Infinity;
  }

  /** Tells whether a repository's default branch has another name than the one we know. Whoever says so may be behind. */
  isNewDefault(repo: RepoName, branch: string): boolean {
    const known = this.#known.get(repo);
    return known !== undefined && known.repo.defaultBranch !== branch;
  }

  async contextOf(repo: RepoName): Promise<RepoContext> {
    const { clock } = this.#options;
    if (clock.now() - this.#discoveredAt > REREAD_AFTER_MS) await this.discover();
    const known = this.#known.get(repo);
    if (known === undefined) {
      throw new AppError("config-invalid", `the app is not installed on ${repo}`);
    }
    const stale = clock.now() - known.readAt > REREAD_AFTER_MS || known.trouble !== undefined;
    if (known.context === undefined || stale) await this.#read(known);
    if (known.trouble !== undefined) throw new AppError("config-invalid", known.trouble);
    if (known.context === undefined) {
      throw new AppError("config-invalid", `${repo} has no usable configuration yet`);
    }
    return known.context;
  }

  #keep(repo: InstalledRepo): Known {
    // This is looked at whatever the file says: a repository may become public at any time.
    this.#options.notices.set(repo.repo, "visibility", repo.private ? [] : [PUBLIC]);
    const unread = { blob: undefined, readAt: -Infinity };
    const before = this.#known.get(repo.repo);
    const context = before?.context && withGrants(before.context, repo);
    const renamed = before !== undefined && before.repo.defaultBranch !== repo.defaultBranch;
    return {
      trouble: undefined,
      ...unread,
      ...before,
      context,
      repo,
      ...(renamed && unread),
    };
  }

  async #read(known: Known): Promise<void> {
    await this.#readFile(known);
    known.trouble = await this.#findTrouble(known);
    this.#options.notices.set(known.repo.repo, "base", known.trouble ? [known.trouble] : []);
  }

  async #readFile(known: Known): Promise<void> {
    const { github, clock, announce } = this.#options;
    const file = await github.readConfigFile(known.repo.repo);
    known.readAt = clock.now();
    const blob = file?.sha ?? NO_FILE;
    if (known.blob === blob) return;
    known.blob = blob;
    const { context, problems } = this.#contextFrom(known.repo, file?.text ?? "");
    known.context = context ?? known.context;
    await announce({ repo: known.repo, problems, blob });
  }

  /** A base that has a name of its own may be renamed or deleted; the default branch is always there. */
  async #findTrouble({ context, repo: installed }: Known): Promise<string | undefined> {
    const { repo, defaultBranch } = installed;
    if (context === undefined || context.base === defaultBranch) return undefined;
    try {
      await this.#options.github.branchHead(repo, context.base);
      return undefined;
    } catch (error) {
      if (!(error instanceof AppError && error.code === "github-refused")) throw error;
      return `base is ${context.base}, which is no branch of ${repo}; the default branch is ${defaultBranch}: set base to a branch that is there, or leave it out; nothing starts or lands until then`;
    }
  }

  #contextFrom(installed: InstalledRepo, text: string): ReadContext {
    const { repo, defaultBranch } = installed;
    const read = readRepoConfig(text, REPO_CONFIG_PATH);
    if (!read.ok) {
      this.#note(repo, read.error.slice(0, 1).map(problemLine));
      return { context: undefined, problems: read.error };
    }
    const fixed = this.#options.operator.repositories[repo] ?? {};
    const merged = mergeConfig(read.value, fixed);
    if (!merged.ok) {
      this.#note(repo, [`together with the operator's settings: ${merged.error}`]);
      return { context: undefined, problems: [] };
    }
    const kind = boardKind(merged.value, { ...installed, text, fixed });
    const config = { ...merged.value, board: { ...merged.value.board, kind } };
    this.#note(repo, kind === "project" && installed.owner === "user" ? [PERSONAL_PROJECT] : []);
    const context = { repo, base: config.base ?? defaultBranch, config };
    return { context: withGrants(context, installed), problems: [] };
  }

  #note(repo: RepoName, lines: readonly string[]): void {
    this.#options.notices.set(repo, "configuration", lines);
  }
}

/** Who gave the app more rights or took some away changed the repository, as far as the plan is concerned. */
function withGrants(context: RepoContext, { mayWriteWorkflows }: InstalledRepo): RepoContext {
  if (context.mayWriteWorkflows === mayWriteWorkflows) return context;
  return { ...context, mayWriteWorkflows };
}
