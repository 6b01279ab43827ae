import { closeIssue, editIssue, openIssue, reopenIssue } from "../../actions/threads/issues.ts";
import {
  addBlockedBy,
  addSubIssue,
  removeBlockedBy,
  removeSubIssue,
} from "../../actions/threads/relations.ts";
import type { Issue, StateReason } from "../../model/issue.ts";
import { nodeOf } from "../resolve/node-lookup.ts";
import type { Fields } from "../resolve/resolver.ts";
import { requireGrant } from "../resolve/viewer.ts";
import type { Viewer } from "../resolve/viewer.ts";
import type { Input } from "./input.ts";
import { labelNames } from "./label-names.ts";

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
    requireGrant(viewer, "issues=write", repository);
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

function writableIssue(viewer: Viewer, id: string): Issue {
  const issue = nodeOf(viewer, id, "issue");
  requireGrant(viewer, "issues=write", issue.repository);
  return issue;
}
