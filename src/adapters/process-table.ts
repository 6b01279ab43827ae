import { existsSync } from "node:fs";
import type { ProcessRow } from "./process-row.ts";
import { readProcTable } from "./process-table-proc.ts";
import { readPsTable } from "./process-table-ps.ts";

export const HAS_PROC = existsSync("/proc/self/stat");

export const readProcessTable: () => Promise<readonly ProcessRow[]> = HAS_PROC
  ? () => Promise.resolve(readProcTable())
  : readPsTable;
