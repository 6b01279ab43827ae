import { notAccessible, requireAccess } from "../auth/permission.ts";
import type { InstallationToken } from "../model/app.ts";
import { findMoved, findRepository } from "../model/find.ts";
import { notFound, Problem } from "../model/problem.ts";
import type { Repository } from "../model/repository.ts";
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
      if (repository === undefined) return redirectOf(call, token);
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

function repositoryIn({ world, params }: RestCall): Repository | undefined {
  return findRepository(world, nameIn(params));
}

function nameIn(params: RestCall["params"]): string {
  return `${params["owner"] ?? ""}/${params["repo"] ?? ""}`;
}

/** Whoever asks by a former name is sent to the address that goes by the number. Only a read may forget how it asked. */
function redirectOf({ world, params, url, method }: RestCall, token: InstallationToken): Answer {
  const repository = findMoved(world, nameIn(params));
  if (repository === undefined) throw notFound();
  requireAccess(world, token, { repository, needed: "metadata=read" });
  const rest = url.pathname.split("/").slice(4).join("/");
  const place = `${world.url}/repositories/${repository.id}${rest === "" ? "" : `/${rest}`}`;
  const location = `${place}${url.search}`;
  const body = {
    message: method === "GET" ? "Moved Permanently" : "Temporary Redirect",
    url: location,
    documentation_url:
      "https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects",
  };
  return { status: method === "GET" ? 301 : 307, body, headers: { location } };
}
