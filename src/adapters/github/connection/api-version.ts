import type { Octokit } from "@octokit/rest";

/** Every server that is supported knows this version; without a word GitHub would choose one. */
const API_VERSION = "2022-11-28";

export function withApiVersion({ hook }: Pick<Octokit, "hook">): void {
  hook.before("request", (options) => {
    options.headers["x-github-api-version"] = API_VERSION;
  });
}
