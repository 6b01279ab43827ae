import { constants } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { contentPath } from "./git-lfs.ts";
import type { LfsFile } from "./lfs-files.ts";

const COPY = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;

/** Copies the content of the files from one storage to another. What is there already stays, and what is nowhere cannot be copied. */
export async function copyContent(
  files: readonly LfsFile[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  for (const { pointer } of files) {
    if (pointer === undefined) continue;
    const place = contentPath(to, pointer.oid);
    await mkdir(dirname(place), { recursive: true });
    await copyFile(contentPath(from, pointer.oid), place, COPY).catch(() => undefined);
  }
}
