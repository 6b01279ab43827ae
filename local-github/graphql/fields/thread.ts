import { itemsWith } from "../../model/find.ts";
import type { Issue } from "../../model/issue.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import { associationOf } from "../../rest/view/association.ts";
import { threadPath } from "../resolve/addresses.ts";
import { connection } from "../resolve/connection.ts";
import type { PageArguments } from "../resolve/connection.ts";
import type { Fields } from "../resolve/resolver.ts";
import { timelineOf } from "../resolve/timeline.ts";
import { canSeeBoards } from "../resolve/viewer.ts";
import type { Viewer } from "../resolve/viewer.ts";

type Page = PageArguments;

/** Reads the fields that issues and pull requests share. */
export const threadFields: Fields<Issue | PullRequest> = {
  id: (thread) => thread.nodeId,
  databaseId: (thread) => databaseId(thread),
  fullDatabaseId: (thread) => String(databaseId(thread)),
  number: (thread) => thread.number,
  title: (thread) => thread.title,
  body: (thread) => thread.body ?? "",
  bodyText: (thread) => thread.body ?? "",
  repository: (thread) => thread.repository,
  author: (thread) => thread.author,
  authorAssociation: (thread) => associationOf(thread.repository, thread.author),
  viewerDidAuthor: (thread, _: unknown, viewer) => thread.author === viewer.user,
  editor: (thread) => thread.editor,
  lastEditedAt: (thread) => thread.editedAt,
  includesCreatedEdit: (thread) => thread.edits.length > 0,
  userContentEdits: (thread, page: Page) =>
    connection({ name: "userContentEdits", all: thread.edits.toReversed() }, page),
  createdAt: (thread) => thread.createdAt,
  publishedAt: (thread) => thread.createdAt,
  updatedAt: (thread) => thread.updatedAt,
  closed: (thread) => thread.state === "closed",
  closedAt: (thread) => thread.closedAt,
  locked: () => false,
  milestone: () => null,
  // Classic projects are gone: an enterprise server shows none, and github.com refuses the question.
  projectCards: (_, page: Page) => connection({ name: "projectCards", all: [] }, page),
  reactionGroups: () => [],
  url: (thread, _: unknown, { world }) => `${world.url}${threadPath(thread)}`,
  resourcePath: (thread) => threadPath(thread),
  labels: (thread, page: Page) => connection({ name: "labels", all: thread.labels }, page),
  assignees: (thread, page: Page) => connection({ name: "assignees", all: thread.assignees }, page),
  comments: (thread, page: Page) => connection({ name: "comments", all: thread.comments }, page),
  projectItems: (thread, page: Page, viewer) =>
    connection({ name: "projectItems", all: visibleItems(thread, viewer) }, page),
  timelineItems: (thread, args: Page & { readonly itemTypes?: readonly string[] | null }) => {
    const all = timelineOf(thread, args.itemTypes);
    const page = connection({ name: "timelineItems", all }, args);
    return { ...page, filteredCount: all.length, pageCount: page.nodes.length };
  },
};

function databaseId(thread: Issue | PullRequest): number {
  return thread.kind === "issue" ? thread.id : thread.pullId;
}

function visibleItems(thread: Issue | PullRequest, viewer: Viewer): readonly unknown[] {
  if (!canSeeBoards(viewer)) return [];
  return itemsWith(viewer.world, thread).filter((item) => item.archivedAt === null);
}
