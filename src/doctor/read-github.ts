import { fixedFor, invitationOf } from "../config/operator/invitation.ts";
import { problemLine } from "../config/read/config-problem.ts";
import { boardKind } from "../config/repository/board-kind.ts";
import { mergeConfig, readRepoConfig } from "../config/repository/read-repo-config.ts";
import type { OperatorConfig } from "../config/schema/operator-config.ts";
import type { RepoConfig } from "../config/schema/repo-config.ts";
import type { RepoName } from "../domain/ids.ts";
import type { InstalledRepo } from "../ports/github.ts";
import type { Inspection, InstallationFacts, Answer } from "../ports/inspection.ts";
import { fail, ok } from "../shared/result.ts";
import type { AppReading } from "./decide/decide-app.ts";
import { reporterOf } from "./decide/finding.ts";
import type { Finding } from "./decide/finding.ts";
import { refusalFix, refusalWords } from "./decide/refusal-words.ts";
import type { RepoReading, ConfigReading, RepoDetails } from "./decide/repo-reading.ts";

interface Found {
  readonly installed: InstalledRepo;
  readonly installation: InstallationFacts;
}

export interface FoundRepos {
  readonly found: readonly Found[];
  readonly findings: readonly Finding[];
}

/** Finds the repositories that the app is installed on. */
export async function findRepos(
  installations: readonly InstallationFacts[],
  github: Inspection,
  only: RepoName | undefined,
): Promise<FoundRepos> {
  const found: Found[] = [];
  const findings: Finding[] = [];
  for (const installation of installations) {
    const repos = await github.repositories(installation.id);
    if (repos.ok) {
      found.push(...repos.value.map((installed) => ({ installed, installation })));
      continue;
    }
    const say = reporterOf({ check: "repositories", about: installation.account });
    const what = `the repositories of ${installation.account} cannot be read`;
    findings.push(say.problem(`${what}: ${refusalWords(repos.error)}`, refusalFix(repos.error)));
  }
  return { found: wanted(found, only), findings: [...findings, ...absence(found, only)] };
}

function wanted(found: readonly Found[], only: RepoName | undefined): readonly Found[] {
  if (only === undefined) return found;
  return found.filter(({ installed }) => isSame(installed.repo, only));
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function absence(found: readonly Found[], only: RepoName | undefined): readonly Finding[] {
  const say = reporterOf({ check: "repositories" });
  const names = found.map(({ installed }) => installed.repo).join(", ");
  if (only !== undefined && wanted(found, only).length === 0) {
    const fix = `add it on the installation's page; it is installed on ${names || "none"}`;
    return [say.problem(`the app is not installed on ${only}`, fix)];
  }
  if (found.length > 0) return [];
  return [
    say.problem("the app sees no repository", "choose repositories on the installation's page"),
  ];
}

/** This is what counts besides GitHub. */
export interface Surroundings extends Pick<RepoReading, "gitLfs"> {
  readonly operator: OperatorConfig;
}

export function readFoundRepo(
  found: Found,
  surroundings: Surroundings,
  github: Inspection,
): Promise<RepoReading> {
  return readRepo({ ...found, ...surroundings }, github);
}

type Place = Found & Surroundings;

/** Asks GitHub for what concerns one repository. */
async function readRepo(place: Place, github: Inspection): Promise<RepoReading> {
  const { installed, installation, gitLfs } = place;
  const seesProjects = installation.permissions["organization_projects"] !== undefined;
  const text = await github.configFile(installed.repo);
  const leftAlone = whyLeftAlone(text, place);
  const config: Answer<ConfigReading> = text.ok ? ok(configFrom(text.value, place)) : text;
  const settings = config.ok && config.value.read.ok ? config.value.read.value : undefined;
  const isLookedAt = settings !== undefined && leftAlone === undefined;
  const more = isLookedAt ? await readDetails(settings, installed, github) : undefined;
  return { installed, leftAlone, seesProjects, gitLfs, config, more };
}

function whyLeftAlone(
  text: Answer<string | undefined>,
  { installed, operator }: Place,
): RepoReading["leftAlone"] {
  const invitation = invitationOf(installed.repo, operator);
  if (invitation === "denied") return "denied";
  const hasNoFile = text.ok && text.value === undefined;
  return invitation === "by-file" && hasNoFile ? "no-file" : undefined;
}

function configFrom(text: string | undefined, { installed, operator }: Place): ConfigReading {
  const hasFile = text !== undefined;
  const read = readRepoConfig(text ?? "");
  if (!read.ok) return { hasFile, read: fail(read.error.map(problemLine)) };
  const fixed = fixedFor(installed.repo, operator);
  const merged = mergeConfig(read.value, fixed);
  if (!merged.ok) {
    return { hasFile, read: fail([`together with the operator's settings: ${merged.error}`]) };
  }
  const kind = boardKind(merged.value, { ...installed, text: text ?? "", fixed });
  return { hasFile, read: ok({ ...merged.value, board: { ...merged.value.board, kind } }) };
}

async function readDetails(
  config: RepoConfig,
  { repo, defaultBranch }: InstalledRepo,
  github: Inspection,
): Promise<RepoDetails> {
  const base = config.base ?? defaultBranch;
  const isProject = config.board.kind !== "labels";
  const [branch, rules, labels, outOfReach, project] = await Promise.all([
    github.branch(repo, base),
    github.rules(repo, base),
    github.labels(repo),
    github.outOfReach(repo, base),
    isProject ? github.project(repo, config.board.project) : undefined,
  ]);
  return { config, base, branch, rules, labels, outOfReach, project };
}

type Asked = Pick<AppReading, "appId" | "apiUrl" | "wanted">;

/** Asks GitHub what it knows of the app. */
export async function readApp(
  asked: Asked,
  { github, now }: { readonly github: Inspection; readonly now: () => number },
): Promise<AppReading> {
  const app = await github.app();
  const readAt = now();
  if (!app.ok) return { ...asked, readAt, app, more: undefined };
  const [hook, deliveries, installations] = await Promise.all([
    github.hook(),
    github.deliveries(),
    github.installations(),
  ]);
  return { ...asked, readAt, app, more: { hook, deliveries, installations } };
}
