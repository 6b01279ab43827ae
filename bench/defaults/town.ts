import { join } from "node:path";
import type { Issue } from "../../local-github/model/issue.ts";
import type { PullRequest } from "../../local-github/model/pull-request.ts";
import type { Repository } from "../../local-github/model/repository.ts";
import { startLocalGitHub } from "../../local-github/start-local-github.ts";
import type { LocalGitHub } from "../../local-github/start-local-github.ts";
import { readAppManifest } from "../../src/cli/text/package-file.ts";
import { appKey } from "../../test/support/app-key.ts";
import { CallCounter } from "../../test/support/call-counter.ts";
import { cardsOf } from "./scene.ts";
import type { Card, Scene } from "./scene.ts";

export const OWNER = "acme";
const AUTHOR = "ann";
const REVIEWER = "bob";
const COLUMNS = ["Backlog", "Ready", "In progress", "In review", "Queued", "Blocked", "Done"];
const APP = { id: 7, slug: "wavetrain", name: "wavetrain" };
const SECRET = "a secret of the bench";

/** How long GitHub takes to answer: about what github.com does, or as fast as it can. */
export const PACES = {
  none: {},
  real: { latency: { rest: 150, graphql: 300 } },
};

/** A local GitHub with the scene's cards, and what happens to them there. */
export interface Town {
  readonly github: LocalGitHub;
  readonly counter: CallCounter;
  /** What the server has to know to be its app. */
  readonly environment: Readonly<Record<string, string>>;
  readonly repositories: readonly string[];
  /** By card, in milliseconds. */
  readonly openedAt: Map<string, number>;
  readonly landedAt: Map<string, number>;
  makeReady(): void;
}

export async function buildTown(
  scene: Scene,
  { folder, pace }: { readonly folder: string; readonly pace: keyof typeof PACES },
): Promise<Town> {
  const { publicKey, privateKey } = appKey();
  const counter = new CallCounter();
  const github = await startLocalGitHub({
    dataDir: join(folder, "github"),
    app: { ...APP, publicKey, webhookSecret: SECRET },
    observer: counter,
    ...PACES[pace],
    ...(scene.unlimited && { limits: "none" }),
  });
  github.addOrganization(OWNER);
  for (const login of [AUTHOR, REVIEWER]) github.addUser(login);
  const repositories = await addRepositories(github, scene.repositories);
  const issues = openIssues(github, repositories, cardsOf(scene));
  github.installApp({ account: OWNER, ...(await readAppManifest()) });
  const town = {
    github,
    counter,
    environment: { APP_ID: String(APP.id), PRIVATE_KEY: privateKey, WEBHOOK_SECRET: SECRET },
    repositories: repositories.map(({ name }) => `${OWNER}/${name}`),
    openedAt: new Map<string, number>(),
    landedAt: new Map<string, number>(),
    makeReady: () => {
      for (const issue of issues.keys()) github.as(AUTHOR).moveCard(issue, "Ready");
    },
  };
  follow(town, issues);
  return town;
}

async function addRepositories(github: LocalGitHub, count: number): Promise<Repository[]> {
  const files = { "README.md": "# bench\n", "src/main.txt": "main\n" };
  const roles = { [AUTHOR]: "admin", [REVIEWER]: "write" } as const;
  const made: Repository[] = [];
  for (let at = 0; at < count; at += 1) {
    const name = `shop-${at}`;
    made.push(await github.addRepository({ owner: OWNER, name, from: files, roles }));
  }
  return made;
}

function openIssues(
  github: LocalGitHub,
  repositories: readonly Repository[],
  cards: readonly Card[],
): ReadonlyMap<Issue, Card> {
  const project = github.addProject({ org: OWNER, title: "Board", columns: COLUMNS });
  const issues = new Map<Issue, Card>();
  for (const card of cards) {
    const repo = repositories[card.repository];
    if (repo === undefined) throw new Error(`there is no repository ${card.repository}`);
    const title = `Card ${card.id} ${card.path}`;
    const body = `Write ${card.id} into ${card.path}.\n\n### Files\n\n- ${card.path}`;
    const issue = github.as(AUTHOR).openIssue({ repo, title, body, labels: ["parallel-safe"] });
    github.addCard(project, issue, "Backlog");
    issues.set(issue, card);
  }
  return issues;
}

/** Bob approves each pull request once, at once. */
function follow(town: Town, issues: ReadonlyMap<Issue, Card>): void {
  const cardOf = (pull: PullRequest): string =>
    [...issues].find(
      ([issue]) =>
        issue.repository === pull.repository &&
        pull.body?.includes(`Closes #${issue.number}.`) === true,
    )?.[1].id ?? "";
  town.github.world.listeners.push((event) => {
    if (event.name !== "pull_request") return;
    const { pull, action } = event;
    if (action === "opened") {
      town.openedAt.set(cardOf(pull), Date.now());
      setImmediate(() => town.github.as(REVIEWER).approve(pull));
    }
    if (action === "closed" && pull.landing !== null) {
      town.landedAt.set(cardOf(pull), Date.now());
    }
  });
}
