import { botFields, organizationFields, userFields } from "./fields/account.ts";
import { checkRunFields, checkSuiteFields, statusFields } from "./fields/check.ts";
import { commitFields, refFields, rollupFields } from "./fields/commit.ts";
import { issueFields } from "./fields/issue.ts";
import { mergeQueueFields, queueEntryFields } from "./fields/merge-queue.ts";
import { draftIssueFields, projectItemFields, valueTypeFields } from "./fields/project-item.ts";
import {
  optionFields,
  plainFieldFields,
  projectFields,
  selectFieldFields,
} from "./fields/project.ts";
import { pullRequestFields } from "./fields/pull-request.ts";
import { repositoryFields } from "./fields/repository.ts";
import { timelineFields } from "./fields/timeline.ts";
import { commentFields, contentEditFields, labelFields, reviewFields } from "./fields/words.ts";
import { mutationFields } from "./mutations/mutation.ts";
import { queryFields } from "./query.ts";
import type { Fields } from "./resolve/resolver.ts";

/** Lists every GraphQL type that is read from the model, by its name in the schema. */
export const TABLES: Readonly<Record<string, Fields<never>>> = {
  Query: queryFields,
  Mutation: mutationFields,
  User: userFields,
  Bot: botFields,
  Organization: organizationFields,
  Repository: repositoryFields,
  Issue: issueFields,
  PullRequest: pullRequestFields,
  MergeQueue: mergeQueueFields,
  MergeQueueEntry: queueEntryFields,
  PullRequestReview: reviewFields,
  IssueComment: commentFields,
  Label: labelFields,
  UserContentEdit: contentEditFields,
  Commit: commitFields,
  Ref: refFields,
  StatusCheckRollup: rollupFields,
  CheckRun: checkRunFields,
  CheckSuite: checkSuiteFields,
  StatusContext: statusFields,
  ProjectV2: projectFields,
  ProjectV2Field: plainFieldFields,
  ProjectV2SingleSelectField: selectFieldFields,
  ProjectV2SingleSelectFieldOption: optionFields,
  ProjectV2Item: projectItemFields,
  DraftIssue: draftIssueFields,
  ...valueTypeFields,
  ...timelineFields,
};
