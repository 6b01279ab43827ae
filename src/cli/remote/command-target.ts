import { InvalidArgumentError } from "commander";
import { isRepoName } from "../../domain/ids.ts";

/** A task as people name it: `12` or `owner/name#12`. */
export interface CommandTarget {
  readonly repo: string | undefined;
  readonly issue: string;
}

export function parseTarget(given: string): CommandTarget {
  const plain = /^#?([1-9]\d{0,9})$/.exec(given);
  if (plain?.[1] !== undefined) return { repo: undefined, issue: plain[1] };
  const [, repo = "", issue = ""] = /^([^#\s]+)#([1-9]\d{0,9})$/.exec(given) ?? [];
  if (isRepoName(repo)) return { repo, issue };
  throw new InvalidArgumentError("It must be an issue's number, or owner/name#number.");
}
