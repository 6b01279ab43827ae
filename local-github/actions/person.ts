import type { Files } from "../git/write-commit.ts";
import type { Organization, Role, User } from "../model/account.ts";
import type { Installation, Permissions } from "../model/app.ts";
import type { CheckRun } from "../model/check.ts";
import { itemsWith, roleOf } from "../model/find.ts";
import type { Comment, Issue, StateReason } from "../model/issue.ts";
import { Problem } from "../model/problem.ts";
import { findOption } from "../model/project.ts";
import type { Project } from "../model/project.ts";
import type { PullRequest, Review } from "../model/pull-request.ts";
import type { Repository } from "../model/repository.ts";
import type { World } from "../model/world.ts";
import { requestAction, rerequestCheckRun } from "./checks.ts";
import { commitFiles } from "./commit-files.ts";
import {
  acceptPermissions,
  addToInstallation,
  removeFromInstallation,
  uninstallApp,
} from "./installations.ts";
import { renameOrganization, renameRepository, transferRepository } from "./move-repository.ts";
import type { MergeMethod } from "./pulls/landing-commit.ts";
import { mergePullRequest } from "./pulls/merge-pull-request.ts";
import { openPullRequest } from "./pulls/open-pull-request.ts";
import { closePullRequest } from "./pulls/pull-state.ts";
import { dismissReview, submitReview } from "./pulls/reviews.ts";
import type { NewReviewComment } from "./pulls/reviews.ts";
import { renameBranch } from "./rename-branch.ts";
import { addComment } from "./threads/comments.ts";
import { closeIssue, editIssue, openIssue, reopenIssue } from "./threads/issues.ts";
import type { NewIssue, TextEdit } from "./threads/issues.ts";
import { addLabels, removeLabel } from "./threads/labels.ts";
import {
  addItem,
  archiveItem,
  deleteItem,
  setItemStatus,
  statusField,
} from "./threads/projects.ts";
import { addBlockedBy, addSubIssue } from "./threads/relations.ts";

type Thread = Issue | PullRequest;

const ORDER: readonly Role[] = ["none", "read", "triage", "write", "maintain", "admin"];

/** Stands for someone with an account who does by hand what people do on GitHub, as far as their role allows. */
export class Person {
  readonly user: User;
  readonly #world: World;

  constructor(world: World, user: User) {
    this.#world = world;
    this.user = user;
  }

  openIssue(wanted: Omit<NewIssue, "actor"> & { readonly repo: Repository }): Issue {
    const { repo, ...issue } = wanted;
    this.#require(repo, "read");
    return openIssue(this.#world, repo, { ...issue, actor: this.user });
  }

  editIssue(issue: Issue, edit: Omit<TextEdit, "actor">): void {
    if (issue.author !== this.user) this.#require(issue.repository, "write");
    editIssue(this.#world, issue, { ...edit, actor: this.user });
  }

  closeIssue(issue: Issue, reason: StateReason = "completed"): void {
    if (issue.author !== this.user) this.#require(issue.repository, "triage");
    closeIssue(this.#world, issue, { actor: this.user, reason });
  }

  reopenIssue(issue: Issue): void {
    this.#require(issue.repository, "triage");
    reopenIssue(this.#world, issue, this.user);
  }

  comment(thread: Thread, body: string): Comment {
    this.#require(thread.repository, "read");
    return addComment(this.#world, thread, { body, actor: this.user });
  }

  label(thread: Thread, ...names: readonly string[]): void {
    this.#require(thread.repository, "triage");
    addLabels(this.#world, thread, { names, actor: this.user });
  }

  unlabel(thread: Thread, name: string): void {
    this.#require(thread.repository, "triage");
    removeLabel(this.#world, thread, { name, actor: this.user });
  }

  /** Moves the issue's card on every board that has it. Boards have their own access, so no role is checked. */
  moveCard(thread: Thread, column: string): void {
    const items = itemsWith(this.#world, thread);
    if (items.length === 0) throw new Problem(422, `#${thread.number} is on no board`);
    for (const item of items) {
      const option = findOption(statusField(item.project), column);
      if (option === undefined) throw new Problem(422, `there is no column ${column}`);
      setItemStatus(this.#world, item, { optionId: option.id, actor: this.user });
    }
  }

  /** Adds it from within a column, as the board's own "Add item" does: the card has that column from the beginning. */
  addCard(project: Project, thread: Thread, column: string): void {
    const option = findOption(statusField(project), column);
    if (option === undefined) throw new Problem(422, `there is no column ${column}`);
    addItem(this.#world, project, { content: thread, actor: this.user, column: option });
  }

  /** Takes its card off every board. */
  removeCard(thread: Thread): void {
    for (const item of itemsWith(this.#world, thread)) deleteItem(this.#world, item, this.user);
  }

  archiveCard(thread: Thread): void {
    for (const item of itemsWith(this.#world, thread))
      archiveItem(this.#world, item, { archived: true, actor: this.user });
  }

  block(blocked: Issue, blocking: Issue): void {
    this.#require(blocked.repository, "triage");
    addBlockedBy(this.#world, blocked, { blocking, actor: this.user });
  }

  /** Accepts further permissions that the App asks for. */
  acceptPermissions(installation: Installation, permissions: Permissions): void {
    acceptPermissions(this.#world, installation, { permissions, actor: this.user });
  }

  renameRepository(repository: Repository, name: string): void {
    this.#require(repository, "admin");
    renameRepository(this.#world, repository, { name, actor: this.user });
  }

  /** Here nobody has to accept it. */
  transferRepository(repository: Repository, to: string): void {
    this.#require(repository, "admin");
    transferRepository(this.#world, repository, { to, actor: this.user });
  }

  renameOrganization(organization: Organization, login: string): void {
    renameOrganization(this.#world, organization, { login, actor: this.user });
  }

  uninstall(installation: Installation): void {
    uninstallApp(this.#world, installation, { actor: this.user });
  }

  addToInstallation(installation: Installation, repositories: readonly Repository[]): void {
    addToInstallation(this.#world, installation, { repositories, actor: this.user });
  }

  removeFromInstallation(installation: Installation, repositories: readonly Repository[]): void {
    removeFromInstallation(this.#world, installation, { repositories, actor: this.user });
  }

  adopt(parent: Issue, subIssue: Issue): void {
    this.#require(parent.repository, "triage");
    addSubIssue(this.#world, parent, { subIssue, actor: this.user });
  }

  /** Puts one commit on a branch and answers the commit's id. A new branch starts at the default branch. */
  async push(
    repository: Repository,
    branch: string,
    change: { readonly files: Files; readonly message: string },
  ): Promise<string> {
    this.#require(repository, "write");
    return commitFiles(this.#world, repository, { branch, ...change, actor: this.user });
  }

  async renameBranch(repository: Repository, from: string, to: string): Promise<void> {
    this.#require(repository, from === repository.defaultBranch ? "admin" : "write");
    await renameBranch(this.#world, repository, { from, to, actor: this.user });
  }

  async openPullRequest(
    repository: Repository,
    wanted: {
      readonly title: string;
      readonly head: string;
      readonly base?: string;
      readonly body?: string;
      readonly draft?: boolean;
    },
  ): Promise<PullRequest> {
    this.#require(repository, "read");
    const base = wanted.base ?? repository.defaultBranch;
    return openPullRequest(this.#world, repository, { ...wanted, base, actor: this.user });
  }

  approve(pull: PullRequest, body = ""): Review {
    return this.#review(pull, "APPROVED", body);
  }

  requestChanges(
    pull: PullRequest,
    body: string,
    comments: readonly NewReviewComment[] = [],
  ): Review {
    this.#require(pull.repository, "read");
    const review = { state: "CHANGES_REQUESTED", body, comments, actor: this.user } as const;
    return submitReview(this.#world, pull, review);
  }

  /** Gives a review that neither approves nor asks for changes. */
  commentReview(pull: PullRequest, body: string): Review {
    return this.#review(pull, "COMMENTED", body);
  }

  dismissReview(review: Review): void {
    this.#require(review.pull.repository, "write");
    dismissReview(this.#world, review, this.user);
  }

  async merge(pull: PullRequest, method: MergeMethod = "merge"): Promise<string> {
    this.#require(pull.repository, "write");
    return mergePullRequest(this.#world, pull, { method, actor: this.user });
  }

  closePullRequest(pull: PullRequest): void {
    if (pull.author !== this.user) this.#require(pull.repository, "triage");
    closePullRequest(this.#world, pull, this.user);
  }

  /** Presses a button on a check run. */
  press(run: CheckRun, identifier: string): void {
    this.#require(run.suite.repository, "write");
    requestAction(this.#world, run, { identifier, actor: this.user });
  }

  /** Presses "Re-run" on a check run. */
  rerun(run: CheckRun): void {
    this.#require(run.suite.repository, "write");
    rerequestCheckRun(this.#world, run, this.user);
  }

  #review(pull: PullRequest, state: "APPROVED" | "COMMENTED", body: string): Review {
    this.#require(pull.repository, "read");
    return submitReview(this.#world, pull, { state, body, actor: this.user });
  }

  #require(repository: Repository, role: Role): void {
    if (ORDER.indexOf(roleOf(repository, this.user)) >= ORDER.indexOf(role)) return;
    throw new Problem(403, `${this.user.login} needs the role ${role} in ${repository.name}`);
  }
}
