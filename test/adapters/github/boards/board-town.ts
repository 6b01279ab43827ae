import pino from "pino";
import { expect } from "vitest";
import type { Issue } from "../../../../local-github/model/issue.ts";
import { findField, optionOf } from "../../../../local-github/model/project.ts";
import type { ProjectItem } from "../../../../local-github/model/project.ts";
import type { Repository } from "../../../../local-github/model/repository.ts";
import type { GraphqlExchange } from "../../../../local-github/wire/observer.ts";
import { createConnection } from "../../../../src/adapters/github/connection/connection.ts";
import { createProbot } from "../../../../src/adapters/github/connection/probot.ts";
import { createGitHub } from "../../../../src/adapters/github/create-github.ts";
import type { RepoConfig } from "../../../../src/config/schema/repo-config.ts";
import { repoName } from "../../../../src/domain/ids.ts";
import type { RepoName } from "../../../../src/domain/ids.ts";
import type { GitHub } from "../../../../src/ports/github.ts";
import { aConfig } from "../../../support/a-config.ts";
import { CallCounter } from "../../../support/call-counter.ts";
import { graphqlViolations } from "../../../support/schemas/graphql-validator.ts";
import { World } from "../../../support/world.ts";

/** Does something between two questions, as people do. */
class Meddler extends CallCounter {
  meddle = (): void => undefined;
  /** What GitHub would not understand. */
  readonly violations: string[] = [];

  override graphql(exchange: GraphqlExchange): void {
    super.graphql(exchange);
    this.violations.push(...graphqlViolations(exchange));
    this.meddle();
  }
}

/** An organization with some repositories on one board, and what the app knows of it by HTTP. */
export class BoardTown {
  readonly world: World;
  readonly github: GitHub;
  readonly counter: Meddler;
  readonly config: RepoConfig;
  readonly repositories: readonly Repository[];
  readonly clock: { aheadMs: number; githubAheadMs: number };

  private constructor(
    parts: Pick<BoardTown, "world" | "github" | "counter" | "repositories" | "clock">,
  ) {
    this.world = parts.world;
    this.github = parts.github;
    this.counter = parts.counter;
    this.repositories = parts.repositories;
    this.clock = parts.clock;
    this.config = aConfig({ board: { project: 1 } });
  }

  static async create(names: readonly string[]): Promise<BoardTown> {
    const counter = new Meddler();
    const clock = { aheadMs: 0, githubAheadMs: 0 };
    const now = (): number => Date.now() + clock.githubAheadMs;
    const world = await World.create({ startApp: false, listener: counter, github: { now } });
    const repositories: Repository[] = [];
    for (const name of names) {
      const roles = { ann: "admin" } as const;
      const from = { "README.md": "x" };
      repositories.push(await world.github.addRepository({ owner: "acme", name, from, roles }));
    }
    const probot = await createProbot({
      identity: world.identity,
      apiUrl: world.github.url,
      log: pino({ level: "silent" }),
    });
    const auth = { asApp: () => probot.auth(), asInstallation: (id: number) => probot.auth(id) };
    const github = createGitHub(createConnection(auth), () => Date.now() + clock.aheadMs);
    await github.listRepos();
    return new BoardTown({ world, github, counter, repositories, clock });
  }

  nameOf({ owner, name }: Repository): RepoName {
    return repoName(`${owner.login}/${name}`);
  }

  /** Opens issues with cards, in turn in each of the repositories. */
  addCards(count: number, column = "Backlog"): readonly Issue[] {
    return Array.from({ length: count }, (_, at) => {
      const repo = this.repositories[at % this.repositories.length]!;
      const issue = this.world.github.as("ann").openIssue({ repo, title: `T${at}`, body: "" });
      this.world.github.addCard(this.world.project, issue, column);
      return issue;
    });
  }

  async read(repo: Repository): Promise<readonly string[]> {
    const { board } = await this.github.readRepo(this.nameOf(repo), this.config);
    return board.cards.map(({ issue, role }) => `${issue.number} ${role ?? "-"}`);
  }

  /** What the board really holds of a repository. */
  truth(repo: Repository): readonly string[] {
    return this.world.project.items.flatMap((item) => {
      const { content } = item;
      if (content.kind !== "issue" || content.repository !== repo) return [];
      return item.archivedAt === null ? [`${content.number} ${roleOf(item)}`] : [];
    });
  }

  /** Time passes, on GitHub, too. */
  pass(ms: number): void {
    this.clock.aheadMs += ms;
    this.clock.githubAheadMs += ms;
  }

  /** Says whether the repository has news, as the timer's wake-ups ask. */
  async hasNews(repo: Repository): Promise<boolean> {
    return !(await this.github.isUnchanged(this.nameOf(repo), this.config));
  }

  async close(): Promise<void> {
    await this.world.close();
    expect(this.counter.violations).toEqual([]);
  }

  asked(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.counter.table());
  }
}

const ROLES: Readonly<Record<string, string>> = {
  Ready: "ready",
  "In progress": "running",
  "In review": "review",
  Queued: "queued",
  Blocked: "blocked",
  Done: "done",
};

function roleOf(item: ProjectItem): string {
  const field = findField(item.project, "Status");
  return ROLES[(field && optionOf(item, field)?.name) ?? ""] ?? "-";
}
