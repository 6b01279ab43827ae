import { pino } from "pino";
import { createAuthentication } from "../../adapters/github/probot-auth.ts";
import { createConnection } from "../../adapters/github/connection.ts";
import { createFurnishing } from "../../adapters/github/furnishing.ts";
import { createInspection } from "../../adapters/github/inspection.ts";
import type { Identity } from "../../config/env.ts";
import type { OperatorConfig } from "../../config/schema.ts";
import type { AppReading, WantedGrants } from "../../doctor/app-reading.ts";
import { applySetup } from "../../doctor/apply-setup.ts";
import { decideApp } from "../../doctor/decide-app.ts";
import { decideRepo } from "../../doctor/decide-repo.ts";
import { decideSetup } from "../../doctor/decide-setup.ts";
import type { Finding, Section } from "../../doctor/finding.ts";
import { readApp } from "../../doctor/read-app.ts";
import { findRepos, readFoundRepo } from "../../doctor/read-repos.ts";
import type { FoundRepos } from "../../doctor/read-repos.ts";
import type { RepoReading } from "../../doctor/repo-reading.ts";
import type { RepoName } from "../../domain/ids.ts";
import type { Furnishing, Inspection } from "../../ports/inspection.ts";

export interface Examination {
  readonly operator: OperatorConfig;
  readonly identity: Identity;
  readonly wanted: WantedGrants;
  readonly only: RepoName | undefined;
  readonly setup: boolean;
  /** Hears what is being looked at. */
  readonly progress: (words: string) => void;
}

/** Everything that GitHub has to say, section by section as it comes. */
export async function* examineGitHub(examination: Examination): AsyncGenerator<Section> {
  const { operator, identity, wanted, progress } = examination;
  const { apiUrl } = operator.github;
  const log = pino({ level: "silent" });
  const auth = createAuthentication({ ...identity, apiUrl, log });
  const connection = createConnection(auth);
  const github = createInspection(auth, connection);
  progress(`asking ${apiUrl} about app ${identity.appId}`);
  const asked = { appId: identity.appId, apiUrl, wanted };
  const app = await readApp(asked, { github, now: Date.now });
  const repos = await reposOf(app, github, examination.only);
  yield { title: "GitHub App", findings: [...decideApp(app), ...repos.findings] };
  const furnishing = examination.setup ? createFurnishing(connection) : undefined;
  for (const [at, found] of repos.found.entries()) {
    const { repo } = found.installed;
    progress(`reading ${repo} (${at + 1} of ${repos.found.length})`);
    const read = (): Promise<RepoReading> => readFoundRepo(found, operator, github);
    yield { title: repo, findings: await examineRepo(read, furnishing) };
  }
}

async function reposOf(
  { more }: AppReading,
  github: Inspection,
  only: RepoName | undefined,
): Promise<FoundRepos> {
  const all = more?.installations.ok === true ? more.installations.value : [];
  // A suspended one was named before, and shows nothing.
  const known = all.filter(({ suspended }) => !suspended);
  return known.length === 0 ? { found: [], findings: [] } : findRepos(known, github, only);
}

/** What was made is read again: only what is still missing is told. */
async function examineRepo(
  read: () => Promise<RepoReading>,
  furnishing: Furnishing | undefined,
): Promise<readonly Finding[]> {
  const reading = await read();
  const wanted = furnishing === undefined ? [] : decideSetup(reading);
  if (furnishing === undefined || wanted.length === 0) return decideRepo(reading);
  const made: Finding[] = [];
  for (const one of wanted) made.push(await applySetup(one, furnishing));
  return [...made, ...decideRepo(await read())];
}
