import { dirname } from "node:path";
import type { FoundInside, Sandbox } from "../../ports/sandbox.ts";

export interface LookedFor {
  readonly program: string;
  /** The server finds it here; undefined when it does not. */
  readonly path: string | undefined;
  readonly level: Sandbox["level"];
  readonly image: string | undefined;
  readonly found: FoundInside;
}

export interface Outside {
  readonly what: string;
  readonly fix: string;
}

/** Everybody's files are in these folders, or somebody's own: only the file itself should be shown. */
const TOO_WIDE = /^\/(?:[^/]*|home\/[^/]*|var\/[^/]*|usr\/local)$/;

/** Says what a runner's command does not find in its sandbox, and what to write; undefined when nothing is missing or nobody knows. */
export function wordOutside(looked: LookedFor): Outside | undefined {
  const { program, path, level, image, found } = looked;
  if (found.kind !== "missing") return undefined;
  const { name } = found;
  if (level === "container") {
    const what = `the image ${image ?? ""} has no program ${name}`;
    return { what, fix: "put it into the image, or mount it with container.args" };
  }
  const isProgram = name === program;
  const place = isProgram ? path : name;
  if (level === "none" || place === undefined || !place.startsWith("/")) {
    const fix = "install it, or put its folder on the PATH of wavetrain start";
    return { what: `the program ${name} is not found`, fix };
  }
  const what = isProgram
    ? `the program ${place} is on this machine, but not in the sandbox`
    : `${program} needs ${place}, which is not in the sandbox`;
  return { what, fix: `add it to the operator's file, as readable: [${folderOf(place)}]` };
}

function folderOf(file: string): string {
  const folder = dirname(file);
  return TOO_WIDE.test(folder) ? file : folder;
}
