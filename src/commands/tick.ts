import type { Deps, RepoContext } from "../deps.ts";
import type { GivenCommand } from "../domain/given-command.ts";
import type { Instant, RepoName } from "../domain/ids.ts";
import type { Signal } from "../domain/signal.ts";
import { AppError } from "../shared/app-error.ts";
import { finish } from "./apply.ts";
import { decideCommand } from "./decide-command.ts";
import type { CommandDecision } from "./decision.ts";
import { commandId, hear } from "./hear.ts";
import type { Spoken } from "./hear.ts";
import type { Command } from "./parse-command.ts";
import { readSnapshot } from "./read-snapshot.ts";
import type { SeenByCommands } from "./read-snapshot.ts";

/** Takes each new command once, then does what is due. True when the issues on GitHub are no longer what was read. */
export async function tick(
  context: RepoContext,
  { signals, seen }: { readonly signals: readonly Signal[]; readonly seen: SeenByCommands },
  deps: Deps,
): Promise<boolean> {
  for (const signal of signals) await take(signal, { context, seen }, deps);
  const due = await deps.store.pendingCommands(context.repo);
  for (const command of due) await finish(command, context, deps);
  return due.some(({ effects }) => effects.some(({ kind }) => kind === "set-labels"));
}

/** The command goes on record in the batch that carries it out: whoever finds it there has nothing left to decide. */
async function take(
  signal: Signal,
  { context, seen }: { readonly context: RepoContext; readonly seen: SeenByCommands },
  deps: Deps,
): Promise<void> {
  const { repo } = context;
  const id = commandId(signal);
  if (id === undefined || (await deps.store.command(id)) !== undefined) return;
  const memory = await deps.store.readRepo(repo);
  const spoken = await hear(signal, { repo, memory }, deps);
  if (spoken === undefined) return;
  const decision = decideCommand(await readSnapshot(spoken, { context, seen, memory }, deps));
  const command = onRecord(spoken, decision, { repo, at: deps.clock.now() });
  await record(command, decision, deps);
}

/** Another process may have taken it meanwhile; anything else that stands against it is decided anew by the next tick. */
async function record(
  command: GivenCommand,
  { changes }: CommandDecision,
  deps: Deps,
): Promise<void> {
  const { id, repo, issue, givenBy, said, verdict } = command;
  try {
    await deps.store.record(repo, [{ kind: "command-given", command }, ...changes]);
  } catch (error) {
    const taken = error instanceof AppError && error.code === "store-conflict";
    if (!taken || (await deps.store.command(id)) === undefined) throw error;
    return;
  }
  deps.log.info({ repo, issue, by: givenBy, command: said, verdict }, "command taken");
}

function onRecord(
  { id, command, by, issue, comment }: Spoken,
  { verdict, answer, effects }: CommandDecision,
  { repo, at }: { readonly repo: RepoName; readonly at: Instant },
): GivenCommand {
  return {
    ...{ id, repo, issue, givenBy: by, said: command.kind, detail: detailOf(command) },
    ...{ verdict, answer, effects, comment, at, doneAt: undefined },
  };
}

function detailOf(command: Command): string {
  if (command.kind === "pause") return command.reason;
  return command.kind === "priority" ? command.level : "";
}
