import type { RepoName } from "../domain/ids.ts";
import type { Signal } from "../domain/signal.ts";
import type { Deps } from "../ports/deps.ts";
import type { RepoMemory } from "../ports/store.ts";
import { saidByButton } from "../report/publish/publish-check.ts";
import { assertNever } from "../shared/assert-never.ts";
import { parseCommand } from "./parse-command.ts";
import type { Command } from "./parse-command.ts";

/** This is a command with who gave it and where. */
export interface IncomingCommand {
  /** It names where the command came from: a comment that is told of twice is one command. */
  readonly id: string;
  readonly command: Command;
  readonly by: string;
  readonly trusted: boolean;
  readonly issue: number | undefined;
  readonly comment: string | undefined;
  /** It was said then, by GitHub's clock; it is undefined where GitHub does not tell. */
  readonly saidAt?: number;
  /** It was given on the command line of the server: the answer may name the server's files. */
  readonly fromServer?: true;
}

export function commandId({ deliveryId, subject }: Signal): string | undefined {
  if (subject === undefined) return undefined;
  return subject.kind === "comment" ? `comment:${subject.comment}` : deliveryId;
}

/** Reads what was really said and by whom. It returns undefined when there is nothing, or nothing any more, to hear. */
export async function readCommand(
  signal: Signal,
  { repo, memory }: { readonly repo: RepoName; readonly memory: RepoMemory },
  deps: Pick<Deps, "botLogin" | "github">,
): Promise<IncomingCommand | undefined> {
  const { subject, actor } = signal;
  const id = commandId(signal);
  if (subject === undefined || id === undefined) return undefined;
  switch (subject.kind) {
    case "comment":
      return readComment({ id, comment: subject.comment }, { repo, memory }, deps);
    case "button": {
      const kind = saidByButton(subject.button);
      const issue = issueOfHead(subject.head, memory);
      if (kind === undefined || issue === undefined || actor === undefined) return undefined;
      const trusted = await deps.github.mayWrite(repo, actor);
      return { id, command: { kind }, by: actor, trusted, issue, comment: undefined };
    }
    case "operator": {
      const command = parseCommand(`/${subject.say}`);
      if (command === undefined) return undefined;
      const { issue } = subject;
      const given = { id, command, issue, comment: undefined } as const;
      return { ...given, by: "the operator", trusted: true, fromServer: true };
    }
    default:
      return assertNever(subject);
  }
}

async function readComment(
  { id, comment }: { readonly id: string; readonly comment: string },
  { repo, memory }: { readonly repo: RepoName; readonly memory: RepoMemory },
  deps: Pick<Deps, "botLogin" | "github">,
): Promise<IncomingCommand | undefined> {
  const read = await deps.github.readComment(repo, comment);
  if (read === undefined || read.author === deps.botLogin) return undefined;
  const command = parseCommand(read.body);
  if (command === undefined) return undefined;
  const trusted = await deps.github.mayWrite(repo, read.author);
  const ours = memory.tasks.find(({ pull }) => pull === read.issue);
  const issue = ours?.issue ?? read.issue;
  const { author: by, createdAt: saidAt } = read;
  return { id, command, by, trusted, issue, comment, saidAt };
}

function issueOfHead(head: string, { runs, tasks }: RepoMemory): number | undefined {
  const run = runs.findLast(
    ({ outcome }) => outcome?.kind === "succeeded" && outcome.head === head,
  );
  return tasks.find(({ id }) => id === run?.task)?.issue;
}
