import { execFileSync } from "node:child_process";

/** Only root can make things that nobody can delete. */
export const CAN_MAKE_UNDELETABLE = process.platform === "linux" && process.getuid?.() === 0;

/** A file that nobody can delete, rename or change; answers what undoes it. */
export function makeUndeletable(path: string): () => void {
  execFileSync("chattr", ["+i", path]);
  return () => {
    // Wherever it was moved meanwhile, it is the test's folder that goes in the end.
    execFileSync("chattr", ["-i", path], { stdio: "ignore" });
  };
}

/** A folder that can be neither deleted nor moved; answers what undoes it. */
export function makeBusy(folder: string): () => void {
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "none", folder]);
  return () => execFileSync("umount", [folder]);
}

/** Takes the mark away from everything below. */
export function makeDeletableAgain(folder: string): void {
  execFileSync("chattr", ["-R", "-f", "-i", folder], { stdio: "ignore" });
}
