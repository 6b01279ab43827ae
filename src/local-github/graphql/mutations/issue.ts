import { addComment, editComment } from "../../actions/comments.ts";
import { closeIssue, editIssue, openIssue, reopenIssue } from "../../actions/issues.ts";
import { addLabels, removeLabel } from "../../actions/labels.ts";
import {
  addBlockedBy,
  addSubIssue,
  removeBlockedBy,
  removeSubIssue,
} from "../../actions/relations.ts";
import type { Issue, StateReason } from "../../model/issue.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import { nodeOf } from "../node-lookup.ts";
import type { Fields } from "../resolver.ts";
import type { Viewer } from "../viewer.ts";
import { may, requireWrite } from "../viewer.ts";
import type { Input } from "./input.ts";

export const issueMutations: Fields<unknown> = {
  createIssue: (
    _,
    {
      input,
    }: Input<{
      readonly repositoryId: string;
      readonly title: string;
      readonly body?: string | null;
      readonly labelIds?: readonly string[] | null;
    }>,
    viewer,
  ) => {
    const repository = nodeOf(viewer, input.repositoryId, "repository");
    requireWrite(viewer, "issues", repository);
    const labels = labelNames(viewer, input.labelIds ?? []);
    const { title, body = null } = input;
    const issue = openIssue(viewer.world, repository, { title, body, labels, actor: viewer.user });
    return { issue };
  },
  updateIssue: (
    _,
    {
      input,
    }: Input<{
      readonly id: string;
      readonly title?: string | null;
      readonly body?: string | null;
    }>,
    viewer,
  ) => {
    const issue = writableIssue(viewer, input.id);
    const { title, body } = input;
    editIssue(viewer.world, issue, {
      ...(typeof title === "string" && { title }),
      ...(typeof body === "string" && { body }),
      actor: viewer.user,
    });
    return { issue };
  },
  closeIssue: (
    _,
    { input }: Input<{ readonly issueId: string; readonly stateReason?: string | null }>,
    viewer,
  ) => {
    const issue = writableIssue(viewer, input.issueId);
    const reason = (input.stateReason ?? "COMPLETED").toLowerCase() as StateReason;
    closeIssue(viewer.world, issue, { reason, actor: viewer.user });
    return { issue };
  },
  reopenIssue: (_, { input }: Input<{ readonly issueId: string }>, viewer) => {
    const issue = writableIssue(viewer, input.issueId);
    reopenIssue(viewer.world, issue, viewer.user);
    return { issue };
  },
  ...relationMutations(),
  ...labelMutations(),
  ...commentMutations(),
};

interface BlockingInput {
  readonly issueId: string;
  readonly blockingIssueId: string;
}

interface SubIssueInput {
  readonly issueId: string;
  readonly subIssueId: string;
  readonly replaceParent?: boolean | null;
}

function relationMutations(): Fields<unknown> {
  return {
    addBlockedBy: (_, { input }: Input<BlockingInput>, viewer) => {
      const { issue, blocking } = blockingPair(viewer, input);
      addBlockedBy(viewer.world, issue, { blocking, actor: viewer.user });
      return { issue, blockingIssue: blocking };
    },
    removeBlockedBy: (_, { input }: Input<BlockingInput>, viewer) => {
      const { issue, blocking } = blockingPair(viewer, input);
      removeBlockedBy(viewer.world, issue, { blocking, actor: viewer.user });
      return { issue, blockingIssue: blocking };
    },
    addSubIssue: (_, { input }: Input<SubIssueInput>, viewer) => {
      const issue = writableIssue(viewer, input.issueId);
      const subIssue = nodeOf(viewer, input.subIssueId, "issue");
      const replaceParent = input.replaceParent === true;
      addSubIssue(viewer.world, issue, { subIssue, replaceParent, actor: viewer.user });
      return { issue, subIssue };
    },
    removeSubIssue: (_, { input }: Input<SubIssueInput>, viewer) => {
      const issue = writableIssue(viewer, input.issueId);
      const subIssue = nodeOf(viewer, input.subIssueId, "issue");
      removeSubIssue(viewer.world, issue, { subIssue, actor: viewer.user });
      return { issue, subIssue };
    },
  };
}

function blockingPair(viewer: Viewer, input: BlockingInput) {
  const issue = writableIssue(viewer, input.issueId);
  return { issue, blocking: nodeOf(viewer, input.blockingIssueId, "issue") };
}

interface LabelsInput {
  readonly labelableId: string;
  readonly labelIds: readonly string[];
}

function labelMutations(): Fields<unknown> {
  return {
    addLabelsToLabelable: (_, { input }: Input<LabelsInput>, viewer) => {
      const labelable = writableThread(viewer, input.labelableId);
      const names = labelNames(viewer, input.labelIds);
      addLabels(viewer.world, labelable, { names, actor: viewer.user });
      return { labelable };
    },
    removeLabelsFromLabelable: (_, { input }: Input<LabelsInput>, viewer) => {
      const labelable = writableThread(viewer, input.labelableId);
      for (const name of labelNames(viewer, input.labelIds)) {
        removeLabel(viewer.world, labelable, { name, actor: viewer.user });
      }
      return { labelable };
    },
  };
}

function commentMutations(): Fields<unknown> {
  return {
    addComment: (
      _,
      { input }: Input<{ readonly subjectId: string; readonly body: string }>,
      viewer,
    ) => {
      const subject = writableThread(viewer, input.subjectId);
      const comment = addComment(viewer.world, subject, { body: input.body, actor: viewer.user });
      const edge = { cursor: comment.nodeId, node: comment };
      return { subject, commentEdge: edge, timelineEdge: edge };
    },
    updateIssueComment: (
      _,
      { input }: Input<{ readonly id: string; readonly body: string }>,
      viewer,
    ) => {
      const comment = nodeOf(viewer, input.id, "comment");
      requireThreadWrite(viewer, comment.on);
      editComment(viewer.world, comment, { body: input.body, actor: viewer.user });
      return { issueComment: comment };
    },
  };
}

function labelNames(viewer: Viewer, ids: readonly string[]): readonly string[] {
  return ids.map((id) => nodeOf(viewer, id, "label").name);
}

function writableIssue(viewer: Viewer, id: string): Issue {
  const issue = nodeOf(viewer, id, "issue");
  requireWrite(viewer, "issues", issue.repository);
  return issue;
}

function writableThread(viewer: Viewer, id: string): Issue | PullRequest {
  const thread = nodeOf(viewer, id, "issue", "pull-request");
  requireThreadWrite(viewer, thread);
  return thread;
}

/** Comments and labels of a pull request may be written with either permission. */
function requireThreadWrite(
  viewer: Viewer,
  thread: Pick<Issue | PullRequest, "kind" | "repository">,
): void {
  const either = thread.kind === "pull-request" && may(viewer, "pull_requests", "write");
  requireWrite(viewer, either ? "pull_requests" : "issues", thread.repository);
}
