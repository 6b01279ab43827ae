import type { Rescue } from "../../adapters/git/rescue/rescue-refs.ts";
import type { RescueSize } from "../../adapters/git/rescue/rescues.ts";
import { renderTable } from "../text/table.ts";

export type SizedRescue = Rescue & RescueSize;

/** Names a rescue as the command line does. */
export function refOf({ repo, id }: Rescue): string {
  return `${repo}:${id}`;
}

export function renderRescues(rescues: readonly SizedRescue[], width: number): string {
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

export function jsonOfRescues(rescues: readonly SizedRescue[]): string {
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

/** Reads the task from the run's name, which is made of repository, issue and attempt. */
function taskOf({ repo, id }: Rescue): string | undefined {
  const prefix = `${repo.replace("/", ".")}.`;
  const issue = id.startsWith(prefix)
    ? /^(\d+)\.\d+$/.exec(id.slice(prefix.length))?.[1]
    : undefined;
  return issue === undefined ? undefined : `${repo}#${issue}`;
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 2 ** 20) return `${(bytes / 1024).toFixed(1)} kB`;
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
