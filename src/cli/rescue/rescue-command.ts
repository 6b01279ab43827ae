import { resolve } from "node:path";
import { Command } from "commander";
import type { Rescue } from "../../adapters/git/rescue/rescue-refs.ts";
import type { RescueSize, Rescues } from "../../adapters/git/rescue/rescues.ts";
import { AppError } from "../../shared/app-error.ts";
import { findPlace } from "../remote/data-folder.ts";
import type { FolderOptions } from "../remote/data-folder.ts";
import { renderTable } from "../text/table.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const UNUSABLE = { exitCode: 2 };
const FAILED = { exitCode: 1 };
const WIDTH = 120;

const HELP = `
Whatever a run left in its workspace is saved before the workspace is cleaned up. REF is what the list
shows, the name of a run alone, or the beginning of its commit.

Works on the server's data folder, with the server running or stopped; nothing but branches and folders that
you name is written.`;

export function rescueCommand(variables: Variables): Command {
  const command = new Command("rescue")
    .description("list, show and restore work that was saved from runs")
    .addHelpText("after", HELP);
  command.addCommand(listCommand(variables), { isDefault: true });
  command.addCommand(showCommand(variables));
  command.addCommand(restoreCommand(variables));
  return command;
}

function placed(command: Command): Command {
  return command
    .option("--config <file>", "operator's file, which names the data folder")
    .option("--data-dir <folder>", "the data folder itself");
}

function listCommand(variables: Variables): Command {
  return placed(new Command("list"))
    .description("all saved work, newest first")
    .option("--json", "print it as JSON")
    .action(async (options: FolderOptions & { readonly json?: true }, command: Command) => {
      const rescues = await open(options, variables, command);
      const found = await attempt(command, async () => {
        const listed = await rescues.list();
        return Promise.all(listed.map(async (one) => ({ ...one, ...(await rescues.sizeOf(one)) })));
      });
      console.log(
        options.json
          ? jsonOfRescues(found)
          : renderRescues(found, process.stdout.isTTY ? process.stdout.columns : WIDTH),
      );
    });
}

function showCommand(variables: Variables): Command {
  return placed(new Command("show"))
    .description("what saved work changed")
    .argument("<ref>")
    .action(async (ref: string, options: FolderOptions, command: Command) => {
      const rescues = await open(options, variables, command);
      const rescue = await find(rescues, ref, command);
      console.log(await attempt(command, () => rescues.describe(rescue)));
    });
}

interface RestoreOptions extends FolderOptions {
  readonly to?: string;
  readonly into?: string;
  readonly repo: string;
}

function restoreCommand(variables: Variables): Command {
  return placed(new Command("restore"))
    .description("bring saved work back")
    .argument("<ref>")
    .option("--to <branch>", "as a new branch of your clone")
    .option("--repo <path>", "your clone, with --to", ".")
    .option("--into <path>", "as files in a folder that is new or empty")
    .action(async (ref: string, options: RestoreOptions, command: Command) => {
      const { to, into } = options;
      if ((to === undefined) === (into === undefined))
        return command.error("error: say either --to BRANCH or --into PATH", UNUSABLE);
      const rescues = await open(options, variables, command);
      const rescue = await find(rescues, ref, command);
      await attempt(command, () =>
        into === undefined
          ? rescues.toBranch(rescue, to ?? "", resolve(options.repo))
          : rescues.intoFolder(rescue, resolve(into)),
      );
      console.log(
        `${refOf(rescue)} restored ${into === undefined ? `to branch ${to ?? ""}` : `into ${into}`}`,
      );
    });
}

async function open(
  options: FolderOptions,
  variables: Variables,
  command: Command,
): Promise<Rescues> {
  const place = await findPlace(options, variables);
  if (!place.ok) return command.error(`error: ${place.error}`, UNUSABLE);
  const { createRescues } = await import("../../adapters/git/rescue/rescues.ts");
  const env = { PATH: variables["PATH"] ?? "/usr/local/bin:/usr/bin:/bin" };
  return createRescues(resolve(place.value.dataDir), env);
}

async function find(rescues: Rescues, ref: string, command: Command): Promise<Rescue> {
  const listed = await attempt(command, () => rescues.list());
  const found = listed.filter(
    (rescue) =>
      refOf(rescue) === ref ||
      rescue.id === ref ||
      (ref.length >= 7 && rescue.commit.startsWith(ref)),
  );
  const [rescue] = found;
  if (rescue === undefined) return command.error(`error: no saved work is called ${ref}`, FAILED);
  if (found.length > 1)
    return command.error(
      `error: ${ref} is the name of ${found.length}: ${found.map(refOf).join(", ")}`,
      FAILED,
    );
  return rescue;
}

async function attempt<T>(command: Command, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const detail = error.cause instanceof Error ? `: ${error.cause.message}` : "";
    return command.error(`error: ${error.message}${detail}`, FAILED);
  }
}

type SizedRescue = Rescue & RescueSize;

/** Names a rescue as the command line does. */
function refOf({ repo, id }: Rescue): string {
  return `${repo}:${id}`;
}

function renderRescues(rescues: readonly SizedRescue[], width: number): string {
  if (rescues.length === 0) return "No saved work.";
  const columns = [
    { title: "WHEN" },
    { title: "TASK" },
    { title: "FILES", align: "right" as const },
    { title: "SIZE", align: "right" as const },
    { title: "REF" },
  ];
  const rows = rescues.map((rescue) => [
    whenOf(rescue).replace("T", " ").slice(0, 16),
    taskOf(rescue) ?? "-",
    String(rescue.files),
    sizeText(rescue.bytes),
    refOf(rescue),
  ]);
  return renderTable(columns, rows, width);
}

function jsonOfRescues(rescues: readonly SizedRescue[]): string {
  const rows = rescues.map((rescue) => ({
    ref: refOf(rescue),
    repo: rescue.repo,
    task: taskOf(rescue),
    run: rescue.id,
    when: whenOf(rescue),
    commit: rescue.commit,
    base: rescue.base,
    files: rescue.files,
    bytes: rescue.bytes,
  }));
  return JSON.stringify({ rescues: rows }, undefined, 2);
}

function whenOf({ at }: Rescue): string {
  return new Date(at).toISOString();
}

/** Reads the task from the run's name, which is made of repository, issue and attempt. The repository may have been renamed since. */
function taskOf({ repo, id }: Rescue): string | undefined {
  const issue = /^[^/]+\.(\d+)\.\d+$/.exec(id)?.[1];
  return issue === undefined ? undefined : `${repo}#${issue}`;
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 2 ** 20) return `${(bytes / 1024).toFixed(1)} kB`;
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
