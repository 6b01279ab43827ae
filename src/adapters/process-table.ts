import { existsSync } from "node:fs";
import type { ProcessRow } from "./process-row.ts";
import { readProcTable } from "./process-table-proc.ts";
import { readPsTable } from "./process-table-ps.ts";

export const readProcessTable: () => Promise<readonly ProcessRow[]> = existsSync("/proc/self/stat")
  ? readProcTable
  : readPsTable;
