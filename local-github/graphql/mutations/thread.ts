import { addComment, editComment } from "../../actions/threads/comments.ts";
import { addLabels, removeLabel } from "../../actions/threads/labels.ts";
import type { Issue, Thread } from "../../model/issue.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import { nodeOf } from "../resolve/node-lookup.ts";
import type { Fields } from "../resolve/resolver.ts";
import { requireGrant } from "../resolve/viewer.ts";
import type { Viewer } from "../resolve/viewer.ts";
import type { Input } from "./input.ts";
import { labelNames } from "./label-names.ts";

/** Changes labels and comments, which issues and pull requests share. */
export const threadMutations: Fields<unknown> = { ...labelMutations(), ...commentMutations() };

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

function writableThread(viewer: Viewer, id: string): Issue | PullRequest {
  const thread = nodeOf(viewer, id, "issue", "pull-request");
  requireThreadWrite(viewer, thread);
  return thread;
}

/** Comments and labels of a pull request may be written with either permission. */
function requireThreadWrite(viewer: Viewer, { kind, repository }: Thread): void {
  const needed = kind === "issue" ? "issues=write" : "issues=write; pull_requests=write";
  requireGrant(viewer, needed, repository);
}
