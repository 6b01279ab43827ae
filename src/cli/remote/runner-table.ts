import type { RunnerUse } from "../../control/runner-use.ts";
import { renderTable } from "../text/table.ts";

const COLUMNS = [
  { title: "runner" },
  { title: "waiting", align: "right" },
  { title: "busy", align: "right" },
  { title: "free", align: "right" },
  { title: "slots", align: "right" },
  { title: "last hour", align: "right" },
] as const;

/** Shows for each runner what waits for it, what it does, and how much of its slots the last hour used. */
export function renderRunners(runners: readonly RunnerUse[], width: number): string {
  const rows = runners.map(({ name, waiting, busy, free, slots, utilization }) => [
    name,
    ...[waiting, busy, free, slots].map(String),
    `${Math.round(utilization * 100)} %`,
  ]);
  return renderTable(COLUMNS, rows, width);
}
