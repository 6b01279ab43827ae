import * as z from "zod";
import { duration } from "./amounts.ts";

const UNIT_MS = { h: 3_600_000, d: 86_400_000 } as const;
const EXPECTED_AGE = "expected an age such as 12h or 30d";

const age = (fallback: string, about: string) =>
  z
    .string({ error: EXPECTED_AGE })
    .regex(/^\d{1,5}[hd]$/, { error: EXPECTED_AGE })
    .transform((text) => Number.parseInt(text, 10) * UNIT_MS[text.at(-1) as keyof typeof UNIT_MS])
    .prefault(fallback)
    .describe(about);

const UNIT_BYTES = { MB: 2 ** 20, GB: 2 ** 30 } as const;
const EXPECTED_SIZE = "expected an amount of disk such as 500MB or 2GB";

const diskSize = (fallback: string, about: string) =>
  z
    .string({ error: EXPECTED_SIZE })
    .regex(/^\d{1,6}(MB|GB)$/, { error: EXPECTED_SIZE })
    .transform(
      (text) => Number.parseInt(text, 10) * UNIT_BYTES[text.slice(-2) as keyof typeof UNIT_BYTES],
    )
    .prefault(fallback)
    .describe(about);

export const minFreeDisk = diskSize(
  "1GB",
  "Disk space that stays free where `dataDir` is: nothing is started with less.",
);

export const maxRunDisk = diskSize(
  "10GB",
  "Disk space that workspace, HOME and temporary folder of a run or a verification may take together; what takes more is stopped.",
);

export const cleanup = z
  .strictObject({
    every: duration.prefault("1h").describe("How often what is of no use any more is taken away."),
    spares: z
      .number()
      .int()
      .nonnegative()
      .default(8)
      .describe("Clean workspaces that are kept to be used again, for each repository."),
    keepSetupsFor: age("14d", "How long what `setup` made is kept after its last use."),
    keepLogsFor: age("30d", "How long logs of runs are kept."),
    keepRescuesFor: age(
      "30d",
      "How long saved work is kept; longer while its task is neither landed nor given up.",
    ),
    keepMirrorsFor: age(
      "30d",
      "How long the mirror of a repository is kept that is not watched any more.",
    ),
  })
  .prefault({})
  .describe("What is kept on the server's disk, and how long.");
