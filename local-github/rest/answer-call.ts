import { notAccessible, requireAccess } from "../auth/permission.ts";
import { findRepository } from "../model/find.ts";
import { notFound, Problem } from "../model/problem.ts";
import type { Answer, RestCall, Route } from "./request/route.ts";

/** Lets the right caller through to the route, and refuses the others as GitHub does. */
export async function answerCall(route: Route, call: RestCall): Promise<Answer> {
  const { caller } = call;
  switch (route.for) {
    case "anyone":
      return route.answer(call);
    case "app":
      if (caller.kind !== "app") throw new Problem(401, "A JSON web token could not be decoded");
      return route.answer(call);
    case "installation":
      if (caller.kind !== "installation") throw unauthenticated(caller.kind);
      return route.answer({ ...call, token: caller.token });
    case "repository": {
      if (caller.kind !== "installation") throw unauthenticated(caller.kind);
      const { token, actor } = caller;
      const repository = repositoryIn(call);
      requireAccess(call.world, token, { repository, needed: route.needs });
      return route.answer({ ...call, repository, token, actor });
    }
  }
}

function unauthenticated(kind: "app" | "anonymous"): Problem {
  return kind === "app"
    ? notAccessible("metadata=read")
    : new Problem(401, "Requires authentication");
}

function repositoryIn({ world, params }: RestCall) {
  const repository = findRepository(world, `${params["owner"] ?? ""}/${params["repo"] ?? ""}`);
  if (repository === undefined) throw notFound();
  return repository;
}
