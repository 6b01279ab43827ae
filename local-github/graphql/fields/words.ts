import { roleOf } from "../../model/find.ts";
import type { Comment, ContentEdit } from "../../model/issue.ts";
import type { Review } from "../../model/pull-request.ts";
import type { Label, Repository } from "../../model/repository.ts";
import { associationOf } from "../../rest/view/association.ts";
import { repositoryPath, threadPath } from "../resolve/addresses.ts";
import { commitNamed } from "../resolve/git-objects.ts";
import type { Fields } from "../resolve/resolver.ts";

interface Words {
  readonly id: number;
  readonly nodeId: string;
  readonly body: string;
  readonly updatedAt: string;
  readonly author: Comment["author"];
}

const wordFields: Fields<Words> = {
  id: (words) => words.nodeId,
  databaseId: (words) => words.id,
  fullDatabaseId: (words) => String(words.id),
  body: (words) => words.body,
  bodyText: (words) => words.body,
  author: (words) => words.author,
  updatedAt: (words) => words.updatedAt,
  viewerDidAuthor: (words, _: unknown, viewer) => words.author === viewer.user,
  isMinimized: () => false,
  minimizedReason: () => null,
  includesCreatedEdit: () => false,
  reactionGroups: () => [],
};

export const commentFields: Fields<Comment> = {
  ...wordFields,
  authorAssociation: (comment) => associationOf(comment.on.repository, comment.author),
  createdAt: (comment) => comment.createdAt,
  lastEditedAt: (comment) => (comment.updatedAt === comment.createdAt ? null : comment.updatedAt),
  repository: (comment) => comment.on.repository,
  issue: (comment) => comment.on,
  pullRequest: (comment) => (comment.on.kind === "pull-request" ? comment.on : null),
  url: (comment, _: unknown, { world }) =>
    `${world.url}${threadPath(comment.on)}#issuecomment-${comment.id}`,
};

export const contentEditFields: Fields<ContentEdit> = {
  id: (edit) => edit.nodeId,
  editor: (edit) => edit.editor,
  editedAt: (edit) => edit.editedAt,
  createdAt: (edit) => edit.editedAt,
  updatedAt: (edit) => edit.editedAt,
  diff: (edit) => edit.body,
  deletedAt: () => null,
  deletedBy: () => null,
};

export const reviewFields: Fields<Review> = {
  ...wordFields,
  authorAssociation: (review) => associationOf(review.pull.repository, review.author),
  authorCanPushToRepository: (review) =>
    ["write", "maintain", "admin"].includes(roleOf(review.pull.repository, review.author)),
  state: (review) => review.state,
  submittedAt: (review) => review.submittedAt,
  createdAt: (review) => review.submittedAt,
  commit: (review) => commitNamed(review.pull.repository, review.commitSha),
  pullRequest: (review) => review.pull,
  repository: (review) => review.pull.repository,
  url: (review, _: unknown, { world }) =>
    `${world.url}${threadPath(review.pull)}#pullrequestreview-${review.id}`,
};

export const labelFields: Fields<Label> = {
  id: (label) => label.nodeId,
  name: (label) => label.name,
  color: (label) => label.color,
  description: (label) => label.description,
  isDefault: (label) => label.isDefault,
  repository: (label) => label.repository,
  url: (label, _: unknown, { world }) => `${world.url}${labelPath(label.repository, label)}`,
};

function labelPath(repository: Repository, label: Label): string {
  return `${repositoryPath(repository)}/labels/${encodeURIComponent(label.name)}`;
}
