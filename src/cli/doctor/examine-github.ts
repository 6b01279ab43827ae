import { pino } from "pino";
import { createConnection } from "../../adapters/github/connection/connection.ts";
import { createAuthentication } from "../../adapters/github/connection/probot.ts";
import { createInspection } from "../../adapters/github/inspection/inspection.ts";
import { createSetupWriter } from "../../adapters/github/inspection/setup-writer.ts";
import type { Identity } from "../../config/operator/env.ts";
import type { OperatorConfig } from "../../config/schema/operator-config.ts";
import { applySetup } from "../../doctor/apply-setup.ts";
import { decideApp } from "../../doctor/decide/decide-app.ts";
import type { AppReading } from "../../doctor/decide/decide-app.ts";
import type { WantedGrants } from "../../doctor/decide/decide-grants.ts";
import { decideLeftAlone } from "../../doctor/decide/decide-left-alone.ts";
import { decideRepo } from "../../doctor/decide/decide-repo.ts";
import { decideSetup } from "../../doctor/decide/decide-setup.ts";
import type { Finding, Section } from "../../doctor/decide/finding.ts";
import type { RepoReading } from "../../doctor/decide/repo-reading.ts";
import { readApp, findRepos, readFoundRepo } from "../../doctor/read-github.ts";
import type { FoundRepos } from "../../doctor/read-github.ts";
import type { RepoName } from "../../domain/ids.ts";
import type { SetupWriter, Inspection } from "../../ports/inspection.ts";

export interface Examination {
  readonly operator: OperatorConfig;
  readonly gitLfs: RepoReading["gitLfs"];
  readonly identity: Identity;
  readonly wanted: WantedGrants;
  readonly only: RepoName | undefined;
  readonly setup: boolean;
  /** It hears what is being looked at. */
  readonly progress: (words: string) => void;
}

/** Asks GitHub everything and yields each section as it comes. */
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
  const writer = examination.setup ? createSetupWriter(connection) : undefined;
  const readings: RepoReading[] = [];
  for (const [at, found] of repos.found.entries()) {
    const { repo } = found.installed;
    progress(`reading ${repo} (${at + 1} of ${repos.found.length})`);
    const read = (): Promise<RepoReading> => readFoundRepo(found, examination, github);
    const reading = await read();
    readings.push(reading);
    if (reading.leftAlone !== undefined) continue;
    yield { title: repo, findings: await examineRepo(reading, read, writer) };
  }
  const leftAlone = decideLeftAlone(readings);
  if (leftAlone.length > 0) yield { title: "Left alone", findings: leftAlone };
}

async function reposOf(
  { more }: AppReading,
  github: Inspection,
  only: RepoName | undefined,
): Promise<FoundRepos> {
  const all = more?.installations.ok === true ? more.installations.value : [];
  // A suspended installation was reported before, and shows no repositories.
  const known = all.filter(({ suspended }) => !suspended);
  return known.length === 0 ? { found: [], findings: [] } : findRepos(known, github, only);
}

/** After something was made, the repository is read again, so that only what is still missing is reported. */
async function examineRepo(
  reading: RepoReading,
  readAgain: () => Promise<RepoReading>,
  writer: SetupWriter | undefined,
): Promise<readonly Finding[]> {
  const wanted = writer === undefined ? [] : decideSetup(reading);
  if (writer === undefined || wanted.length === 0) return decideRepo(reading);
  const made: Finding[] = [];
  for (const one of wanted) made.push(await applySetup(one, writer));
  return [...made, ...decideRepo(await readAgain())];
}
