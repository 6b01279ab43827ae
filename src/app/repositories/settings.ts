import { fixedFor, invitationOf } from "../../config/operator/invitation.ts";
import type { Invitation } from "../../config/operator/invitation.ts";
import { problemLine } from "../../config/read/config-problem.ts";
import { boardKind } from "../../config/repository/board-kind.ts";
import {
  mergeConfig,
  readRepoConfig,
  REPO_CONFIG_PATH,
} from "../../config/repository/read-repo-config.ts";
import type { OperatorConfig } from "../../config/schema/operator-config.ts";
import type { RepoName } from "../../domain/ids.ts";
import { wasUsedBefore } from "../../domain/ids.ts";
import type { RepoNaming } from "../../domain/ids.ts";
import type { Clock } from "../../ports/clock.ts";
import type { RepoContext } from "../../ports/deps.ts";
import type { GitHub, InstalledRepo } from "../../ports/github.ts";
import type { Notices } from "../../ports/notices.ts";
import type { ReadConfigFile } from "../../report/publish/publish-config.ts";
import { AppError } from "../../shared/app-error.ts";

/** A push tells us that the file changed. We read it again after this time for the pushes that we did not hear of. */
const REREAD_AFTER_MS = 10 * 60_000;
/** GitHub counts every answer that says there is no file, so those are asked for seldom. */
const LOOK_FOR_FILE_AFTER_MS = 6 * 60 * 60_000;

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
  /** Its runs are called so, where another repository had its name before. */
  readonly runNames: string | undefined;
  readonly invitation: Invitation;
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

/** The repositories that the app is installed on, each with its configuration if it takes part. A bad file keeps the last good one. */
export class Settings {
  readonly #options: SettingsOptions;
  #known = new Map<RepoName, Known>();

  constructor(options: SettingsOptions) {
    this.#options = options;
  }

  /** Reads which repositories there are. Returns those that take part. Their new names are followed first. */
  async discover(follow: FollowNames = notFollowed): Promise<readonly RepoName[]> {
    const repos = await this.#options.github.listRepos();
    const names = await follow(repos);
    this.#known = new Map(repos.map((repo) => [repo.repo, this.#keep(repo, names)]));
    return this.participants();
  }

  /** Returns GitHub's number of the repository, if the app is installed on it. */
  idOf(repo: RepoName): number | undefined {
    return this.#known.get(repo)?.repo.id;
  }

  /** Returns the repositories that take part, after a look for the files that say so where that is due. */
  async participants(): Promise<readonly RepoName[]> {
    const all = [...this.#known.values()];
    const due = all.filter((known) => known.invitation === "by-file" && this.#isDue(known));
    const failures = (await Promise.all(due.map((known) => this.#lookForFile(known)))).flat();
    // One repository that cannot be read holds up none of the others; if none can be read, it is GitHub.
    if (failures.length > 0 && failures.length === due.length) throw failures[0];
    const taking = all.filter(takesPart);
    for (const { repo } of taking) {
      this.#options.notices.set(repo.repo, "visibility", repo.private ? [] : [PUBLIC]);
    }
    return taking.map(({ repo }) => repo.repo);
  }

  /** Tells whether the app is still installed on the repository. */
  isInstalledOn(repo: RepoName): boolean {
    return this.#known.has(repo);
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
    const known = this.#known.get(repo);
    if (known === undefined) {
      throw new AppError("config-invalid", `the app is not installed on ${repo}`);
    }
    const isStale = this.#isDue(known) || known.trouble !== undefined;
    const isUnread = known.context === undefined && (takesPart(known) || known.blob === undefined);
    if (isUnread || isStale) await this.#read(known);
    if (!takesPart(known)) throw new AppError("config-invalid", `${repo} does not take part`);
    if (known.trouble !== undefined) throw new AppError("config-invalid", known.trouble);
    if (known.context === undefined) {
      throw new AppError("config-invalid", `${repo} has no usable configuration yet`);
    }
    return known.context;
  }

  #keep(repo: InstalledRepo, names: readonly RepoNaming[]): Known {
    const unread = { blob: undefined, readAt: -Infinity };
    const known = this.#known.get(repo.repo);
    const before = known?.repo.id === repo.id ? known : undefined;
    const context = before?.context && withGrants(before.context, repo);
    const renamed = before !== undefined && before.repo.defaultBranch !== repo.defaultBranch;
    return {
      trouble: undefined,
      ...unread,
      ...before,
      context,
      repo,
      runNames: wasUsedBefore(names, repo) ? secondHandName(repo) : undefined,
      invitation: invitationOf(repo.repo, this.#options.operator),
      ...(renamed && unread),
    };
  }

  #isDue({ blob, readAt }: Known): boolean {
    const afterMs = blob === NO_FILE ? LOOK_FOR_FILE_AFTER_MS : REREAD_AFTER_MS;
    return this.#options.clock.now() - readAt > afterMs;
  }

  /** Returns the failure if GitHub did not answer, and nothing otherwise. */
  async #lookForFile(known: Known): Promise<readonly unknown[]> {
    try {
      await this.#readFile(known);
      return [];
    } catch (error) {
      if (!(error instanceof AppError && error.code === "github-refused")) return [error];
      // The repository's owner does not let the app read it: that does not change by asking.
      known.readAt = this.#options.clock.now();
      known.blob = NO_FILE;
      return [];
    }
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
    if (!takesPart(known)) {
      known.context = undefined;
      return;
    }
    const { context, problems } = this.#contextFrom(known.repo, file?.text ?? "");
    known.context = context === undefined ? known.context : withRunNames(context, known);
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
    const fixed = fixedFor(repo, this.#options.operator);
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

/** Brings everything to the names that the repositories have now, and returns all names that are known. */
type FollowNames = (repos: readonly InstalledRepo[]) => Promise<readonly RepoNaming[]>;

const notFollowed: FollowNames = () => Promise.resolve([]);

function withRunNames(context: RepoContext, { runNames }: Known): RepoContext {
  return runNames === undefined ? context : { ...context, runNames };
}

/** The runs of the repository that had the name before keep theirs: no two runs are called the same. */
function secondHandName({ id, repo }: InstalledRepo): string {
  return `${repo.replace("/", ".")}-${id}`;
}

/** A repository that nobody signed up is left alone. */
function takesPart({ invitation, blob }: Known): boolean {
  if (invitation !== "by-file") return invitation === "named";
  return blob !== undefined && blob !== NO_FILE;
}

/** Who gave the app more rights or took some away changed the repository, as far as the plan is concerned. */
function withGrants(context: RepoContext, { mayWriteWorkflows }: InstalledRepo): RepoContext {
  if (context.mayWriteWorkflows === mayWriteWorkflows) return context;
  return { ...context, mayWriteWorkflows };
}
