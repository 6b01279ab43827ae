import { AppError } from "../../shared/app-error.ts";

// What git forbids in a ref name; a refspec gives `:`, `*` and `+` a meaning of their own.
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const FORBIDDEN = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|(^|\/)\.|\.lock(\/|$)/;

export function branchRef(branch: string): string {
  if (branch === "" || branch.startsWith("-") || FORBIDDEN.test(branch))
    throw new AppError("git-failed", `not a branch name: ${JSON.stringify(branch)}`);
  return `refs/heads/${branch}`;
}

/** Where the mirror keeps the tip of a remote branch; one path component, so `a` and `a/b` may follow each other. */
export function mirroredRef(branch: string): string {
  branchRef(branch);
  return `refs/wavetrain/remote/${encodeURIComponent(branch)}`;
}
