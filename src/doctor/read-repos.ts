import type { OperatorConfig } from "../config/schema.ts";
import type { RepoName } from "../domain/ids.ts";
import type { InstalledRepo } from "../ports/github.ts";
import type { Inspection, InstallationFacts } from "../ports/inspection.ts";
import type { Finding } from "./finding.ts";
import { reporterOf } from "./finding.ts";
import { readRepo } from "./read-repo.ts";
import { refusalFix, refusalWords } from "./refusal-words.ts";
import type { RepoReading } from "./repo-reading.ts";

interface Found {
  readonly installed: InstalledRepo;
  readonly installation: InstallationFacts;
}

export interface FoundRepos {
  readonly found: readonly Found[];
  readonly findings: readonly Finding[];
}

/** Where the app is installed. */
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

export function readFoundRepo(
  found: Found,
  operator: OperatorConfig,
  github: Inspection,
): Promise<RepoReading> {
  return readRepo({ ...found, operator }, github);
}
