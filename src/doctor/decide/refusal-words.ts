import type { Refusal } from "../../ports/inspection.ts";

/** Says why GitHub did not answer, for the end of a sentence. */
export function refusalWords({ kind, status, words }: Refusal): string {
  if (kind === "limited") return "the app's API budget is used up";
  return status === undefined ? words : `GitHub answered ${status}, ${words}`;
}

/** Says what to do about an answer that did not come. */
export function refusalFix({ kind, status }: Refusal): string {
  if (kind === "limited") return "try again within the hour";
  if (kind === "silent") {
    return "check the network, HTTPS_PROXY and github.apiUrl, and look at githubstatus.com";
  }
  return status === 403
    ? "grant the app what app.yml asks for, and accept it on the installation's page"
    : "try again; if it stays, compare the app's settings with app.yml";
}
