import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Issue } from "../../local-github/model/issue.ts";
import { findField, optionOf } from "../../local-github/model/project.ts";
import type { PullRequest } from "../../local-github/model/pull-request.ts";
import { readControlFile } from "../../src/control/control-file.ts";
import type { Status } from "../../src/control/get-status.ts";
import type { Task } from "../../src/domain/task.ts";
import { runGitText } from "./git-text.ts";
import { WorldPeople } from "./world-people.ts";

interface JournalLine {
  readonly id: string;
  readonly attempt: number;
  readonly contender: number;
  readonly what: "started" | "ended";
  /** Milliseconds, where the machine's `date` has them. */
  readonly at: string;
}

/** What people see: cards, comments, pull requests, the base branch, the status; and what the agents wrote down. */
export class WorldSight extends WorldPeople {
  /** The pull request that closes the task's issue. */
  pull(id: string): PullRequest {
    const number = this.issue(id).number;
    const pull = this.pulls().findLast((one) => one.body?.includes(`Closes #${number}.`));
    if (pull === undefined) throw new Error(`${id} has no pull request`);
    return pull;
  }

  column(id: string): string | undefined {
    return this.columnOf(this.issue(id));
  }

  columnOf(issue: Issue): string | undefined {
    const item = this.project.items.find((one) => one.content === issue);
    const field = findField(this.project, "Status");
    return item === undefined || field === undefined ? undefined : optionOf(item, field)?.name;
  }

  labels(id: string): readonly string[] {
    return this.issue(id).labels.map((label) => label.name);
  }

  comments(id: string): readonly string[] {
    return this.issue(id).comments.map((comment) => comment.body);
  }

  /** The base branch's files and their text. */
  async mainFiles(): Promise<Record<string, string>> {
    const list = await runGitText(this.repository.dir, ["ls-tree", "-r", "--name-only", "main"]);
    const files: Record<string, string> = {};
    for (const path of list.split("\n").filter(Boolean)) {
      files[path] = await runGitText(this.repository.dir, ["show", `main:${path}`]);
    }
    return files;
  }

  async git(...args: readonly string[]): Promise<string> {
    return (await runGitText(this.repository.dir, args)).trim();
  }

  async journal(): Promise<readonly JournalLine[]> {
    const text = await readFile(join(this.agentFolder, "journal.jsonl"), "utf8").catch(() => "");
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as JournalLine);
  }

  /** Attempts of a task that got as far as the agent. */
  async attemptsOf(id: string): Promise<readonly number[]> {
    const lines = await this.journal();
    return lines.flatMap((line) => (line.id === id && line.what === "started" ? line.attempt : []));
  }

  async tasks(): Promise<readonly Task[]> {
    return (await this.app.store.readRepo(this.repo)).tasks;
  }

  async taskState(id: string): Promise<string | undefined> {
    const tasks = await this.tasks();
    return tasks.find((task) => task.issue === this.issue(id).number)?.state;
  }

  /** Folders of workspaces that are still there. */
  async workspaces(): Promise<readonly string[]> {
    const list = await readdir(join(this.folder, "app", "workspaces"), { recursive: true }).catch(
      () => [],
    );
    return list.filter((path) => path.endsWith(".git"));
  }

  /** What the app has to say about the repository, as `wavetrain status` shows it. */
  async notices(): Promise<readonly string[]> {
    return (await this.status()).repositories.flatMap(({ notices }) => notices);
  }

  async status(): Promise<Status> {
    const control = await readControlFile(join(this.folder, "app"));
    if (control === undefined) throw new Error("the app has no control interface");
    const headers = { authorization: `Bearer ${control.token}` };
    const answer = await fetch(`${control.url}/wavetrain/status`, { headers });
    return (await answer.json()) as Status;
  }

  async agentFile(name: string): Promise<string> {
    return readFile(join(this.agentFolder, name), "utf8");
  }
}
