import { Argument, InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import { isRepoName } from "../../domain/ids.ts";

/** This is a task as people name it: `12`, `owner/name#12`, or the id that it has in a task file. */
interface TaskTarget {
  readonly repo: string | undefined;
  readonly query: { readonly issue: string } | { readonly task: string };
}

const EXPECTED = "It must be an issue's number, owner/name#number, or a task's id in its file.";

export function taskArgument(): Argument {
  const about = "the issue's number, owner/name#number, or its id in a task file";
  return new Argument("<task>", about).argParser(parseTarget);
}

export function repoOption(): Option {
  return new Option(
    "--repo <owner/name>",
    "which repository; not needed when there is only one",
  ).argParser((given: string) => {
    if (!isRepoName(given)) throw new InvalidArgumentError("It must be an owner/name.");
    return given;
  });
}

/** Says to the server which task the command's first argument means. */
export function taskMeant(
  command: Command,
  repo: string | undefined,
): Readonly<Record<string, string>> {
  const target = command.processedArgs[0] as TaskTarget;
  return { ...target.query, ...inRepo(repo ?? target.repo) };
}

export function inRepo(repo: string | undefined): { readonly repo?: string } {
  return repo === undefined ? {} : { repo };
}

function parseTarget(given: string): TaskTarget {
  const plain = /^#?([1-9]\d{0,9})$/.exec(given);
  if (plain?.[1] !== undefined) return { repo: undefined, query: { issue: plain[1] } };
  const [, repo = "", issue = ""] = /^([^#\s]+)#([1-9]\d{0,9})$/.exec(given) ?? [];
  if (isRepoName(repo)) return { repo, query: { issue } };
  if (/^[A-Za-z0-9._-]{1,64}$/.test(given)) return { repo: undefined, query: { task: given } };
  throw new InvalidArgumentError(EXPECTED);
}
