import {
  addLabels,
  createLabel,
  removeLabel,
  replaceLabels,
} from "../../actions/threads/labels.ts";
import { notFound } from "../../model/problem.ts";
import { findLabel } from "../../model/repository.ts";
import { given, objectBody, optionalText, requiredText, textsOf } from "../request/body.ts";
import { listAnswer } from "../request/pages.ts";
import { repoRoute } from "../request/route.ts";
import type { Answer, RepoCall, Route } from "../request/route.ts";
import { threadIn } from "../request/thread-in.ts";
import { labelView } from "../view/label.ts";

const READ = "issues=read; pull_requests=read";
const WRITE = "issues=write; pull_requests=write";

export const LABEL_ROUTES: readonly Route[] = [
  repoRoute("GET", "/labels", {
    needs: READ,
    answer: (call) =>
      listAnswer(call, call.repository.labels, (label) => labelView(call.world, label)),
  }),
  repoRoute("POST", "/labels", { needs: WRITE, answer: create }),
  repoRoute("GET", "/labels/{name}", { needs: READ, answer: get }),
  repoRoute("GET", "/issues/{issue_number}/labels", {
    needs: READ,
    answer: (call) =>
      listAnswer(call, threadIn(call).labels, (label) => labelView(call.world, label)),
  }),
  repoRoute("POST", "/issues/{issue_number}/labels", {
    needs: WRITE,
    answer: (call) => {
      addLabels(call.world, threadIn(call), { names: namesIn(call), actor: call.actor });
      return labelsAnswer(call);
    },
  }),
  repoRoute("PUT", "/issues/{issue_number}/labels", {
    needs: WRITE,
    answer: (call) => {
      replaceLabels(call.world, threadIn(call), { names: namesIn(call), actor: call.actor });
      return labelsAnswer(call);
    },
  }),
  repoRoute("DELETE", "/issues/{issue_number}/labels/{name}", {
    needs: WRITE,
    answer: (call) => {
      const name = call.params["name"] ?? "";
      removeLabel(call.world, threadIn(call), { name, actor: call.actor });
      return labelsAnswer(call);
    },
  }),
];

function create(call: RepoCall): Answer {
  const label = createLabel(call.world, call.repository, {
    name: requiredText(call.body, "name"),
    ...given("color", optionalText(call.body, "color")),
    ...given("description", optionalText(call.body, "description")),
    actor: call.actor,
  });
  return { status: 201, body: labelView(call.world, label) };
}

function get(call: RepoCall): Answer {
  const label = findLabel(call.repository, call.params["name"] ?? "");
  if (label === undefined) throw notFound();
  return { status: 200, body: labelView(call.world, label) };
}

/** Reads the names from `{ labels: [...] }` or from the bare list. */
function namesIn({ body }: RepoCall): readonly string[] {
  return textsOf(Array.isArray(body) ? body : objectBody(body)["labels"], "labels");
}

function labelsAnswer(call: RepoCall): Answer {
  const body = threadIn(call).labels.map((label) => labelView(call.world, label));
  return { status: 200, body };
}
