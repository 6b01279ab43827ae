import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Issue } from "../../local-github/model/issue.ts";
import type { PullRequest } from "../../local-github/model/pull-request.ts";
import { aliasMarker } from "../../src/domain/markers.ts";
import { toShell } from "./agent-script.ts";
import type { Script } from "./agent-script.ts";
import type { NewTask } from "./world-options.ts";
import { WorldServer } from "./world-server.ts";

/** What people do: they write issues, move cards, approve, and tell the tests' agents what to do. */
export class WorldPeople extends WorldServer {
  readonly #issues = new Map<string, Issue>();

  /** Opens an issue with its card; `file` tasks are labelled parallel-safe. */
  async addTask(task: NewTask): Promise<Issue> {
    const labels = [...(task.files === undefined ? [] : ["parallel-safe"]), ...(task.labels ?? [])];
    const issue = this.github.as("ann").openIssue({
      repo: this.repository,
      title: `Task ${task.id}`,
      body: this.#bodyOf(task),
      labels,
    });
    this.#issues.set(task.id, issue);
    const writes = { [task.files?.[0] ?? `${task.id}.txt`]: `${task.id}\n` };
    await this.rescript(task.id, task.script ?? { writes });
    if (this.options.personal !== true || this.options.ownProject === true) {
      this.github.addCard(this.project, issue, task.column ?? "Backlog");
    }
    return issue;
  }

  async addTasks(tasks: readonly NewTask[]): Promise<void> {
    for (const task of tasks) await this.addTask(task);
  }

  async rescript(id: string, script: Script): Promise<void> {
    await writeFile(join(this.agentFolder, `${id}.script`), toShell(script));
  }

  moveToReady(...ids: readonly string[]): void {
    for (const id of ids) this.moveCard(id, "Ready");
  }

  moveCard(id: string, column: string): void {
    this.github.as("ann").moveCard(this.issue(id), column);
  }

  issue(id: string): Issue {
    const issue = this.#issues.get(id);
    if (issue === undefined) throw new Error(`there is no task ${id}`);
    return issue;
  }

  /** Bob approves every pull request, now and later. */
  approveEverything(): void {
    const approve = (pull: PullRequest): void => {
      setImmediate(() => this.github.as("bob").approve(pull));
    };
    this.pulls()
      .filter((pull) => pull.state === "open")
      .forEach(approve);
    this.github.world.listeners.push((event) => {
      if (event.name !== "pull_request") return;
      if (event.action === "opened" || event.action === "synchronize") approve(event.pull);
    });
  }

  pulls(): readonly PullRequest[] {
    return [...this.github.world.threads.values()].filter(
      (thread) => thread.kind === "pull-request",
    );
  }

  async signalAgents(name: string): Promise<void> {
    await writeFile(join(this.agentFolder, name), "");
  }

  #bodyOf(task: NewTask): string {
    const dependencies = (task.dependsOn ?? []).map((id) => `#${this.issue(id).number}`);
    return [
      aliasMarker(task.id),
      task.body ?? `Do ${task.id}.`,
      ...(task.files === undefined
        ? []
        : [`### Files\n\n${task.files.map((file) => `- ${file}`).join("\n")}`]),
      ...(dependencies.length === 0 ? [] : [`Depends on ${dependencies.join(", ")}`]),
    ].join("\n\n");
  }
}
