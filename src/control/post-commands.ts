import { randomUUID } from "node:crypto";
import { parseCommand } from "../commands/parse-command.ts";
import type { GivenCommand, CommandResult } from "../domain/given-command.ts";
import { ownerOf } from "../domain/ids.ts";
import type { RepoName } from "../domain/ids.ts";
import { fail, ok } from "../shared/result.ts";
import type { Result } from "../shared/result.ts";
import { sleep } from "../shared/sleep.ts";
import { issueMeant, repoMeant } from "./find-task.ts";
import type { ControlRequest, ControlSource, Route } from "./route.ts";

/** `POST /wavetrain/commands` answers this. */
export interface CommandReply {
  readonly repo: string;
  readonly issue: number | undefined;
  readonly command: string;
  readonly result: CommandResult;
  readonly answer: readonly string[];
}

const POLL_EVERY_MS = 50;
/** A tick that has to pause after a failure takes longer than this; the command is taken all the same. */
const ANSWER_TIMEOUT_MS = 30_000;

interface Order {
  readonly repo: RepoName;
  readonly say: string;
  readonly issue: number | undefined;
}

/** Handles a command like any other: it stores a signal, and the repository's next tick carries it out. */
export const postCommands: Route = {
  method: "POST",
  path: "commands",
  async answer(request, source) {
    const order = await readOrder(request.query, source);
    if (!order.ok) return { kind: "refused", reason: order.error };
    const id = await give(order.value, source);
    const given = await untilDone(id, request, source);
    if (given === undefined) {
      const reason = "it is taken, but not carried out yet: wavetrain status says what goes on";
      return { kind: "refused", reason };
    }
    return { kind: "json", body: replyOf(given) };
  },
};

async function readOrder(
  query: URLSearchParams,
  source: ControlSource,
): Promise<Result<Order, string>> {
  const repo = repoMeant(query.get("repo"), source.watched());
  if (!repo.ok) return repo;
  const say = query.get("say") ?? "";
  const command = parseCommand(`/${say}`);
  if (command === undefined) return fail(`there is no command ${JSON.stringify(say)}`);
  const issue = await issueMeant(query, repo.value, source);
  if (!issue.ok) return issue;
  if (issue.value === undefined && ABOUT_A_TASK.includes(command.kind))
    return fail("issue is missing");
  return ok({ repo: repo.value, say, issue: issue.value });
}

const ABOUT_A_TASK: readonly string[] = ["explain", "retry", "cancel", "explore", "priority"];

async function give({ repo, say, issue }: Order, source: ControlSource): Promise<string> {
  const deliveryId = `operator:${randomUUID()}`;
  await source.store.addSignal({
    deliveryId,
    event: "operator",
    action: undefined,
    owner: ownerOf(repo),
    repo,
    receivedAt: source.clock.now(),
    subject: { kind: "operator", say, issue },
  });
  source.wake(repo);
  return deliveryId;
}

async function untilDone(
  id: string,
  { signal }: ControlRequest,
  { store, clock }: ControlSource,
): Promise<GivenCommand | undefined> {
  const end = clock.now() + ANSWER_TIMEOUT_MS;
  while (!signal.aborted && clock.now() < end) {
    const given = await store.command(id);
    if (given?.doneAt !== undefined) return given;
    await sleep(POLL_EVERY_MS, clock, signal);
  }
  return undefined;
}

function replyOf({ repo, issue, said, result, answer }: GivenCommand): CommandReply {
  return { repo, issue, command: said, result, answer: answer.lines };
}
