import { boardKind } from "../config/board-kind.ts";
import { problemLine } from "../config/config-problem.ts";
import { mergeConfig } from "../config/merge-config.ts";
import { readRepoConfig } from "../config/read-repo-config.ts";
import type { OperatorConfig, RepoConfig } from "../config/schema.ts";
import type { InstalledRepo } from "../ports/github.ts";
import type { Answer, Inspection, InstallationFacts } from "../ports/inspection.ts";
import { fail, ok } from "../shared/result.ts";
import type { ConfigReading, RepoDetails, RepoReading } from "./repo-reading.ts";

interface Place {
  readonly installed: InstalledRepo;
  readonly installation: InstallationFacts;
  readonly operator: OperatorConfig;
}

/** Asks GitHub for what concerns one repository. */
export async function readRepo(place: Place, github: Inspection): Promise<RepoReading> {
  const { installed, installation } = place;
  const seesProjects = installation.permissions["organization_projects"] !== undefined;
  const text = await github.configFile(installed.repo);
  const config: Answer<ConfigReading> = text.ok ? ok(configFrom(text.value, place)) : text;
  const settings = config.ok && config.value.read.ok ? config.value.read.value : undefined;
  const more = settings === undefined ? undefined : await readDetails(settings, installed, github);
  return { installed, seesProjects, config, more };
}

function configFrom(text: string | undefined, { installed, operator }: Place): ConfigReading {
  const hasFile = text !== undefined;
  const read = readRepoConfig(text ?? "");
  if (!read.ok) return { hasFile, read: fail(read.error.map(problemLine)) };
  const fixed = operator.repositories[installed.repo] ?? {};
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
  const [branch, rules, labels, project] = await Promise.all([
    github.branch(repo, base),
    github.rules(repo, base),
    github.labels(repo),
    isProject ? github.project(repo, config.board.project) : undefined,
  ]);
  return { config, base, branch, rules, labels, project };
}
