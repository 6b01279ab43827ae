import { aliasMarker } from "../domain/task-alias.ts";
import { codeFence } from "../shared/code-fence.ts";

export interface TaskBody {
  /** By which the issue is found again. */
  readonly alias: string;
  /** What it belongs to, in our own words. */
  readonly origin: string;
  /** Markdown that does nothing by itself. */
  readonly words: string;
  readonly files: readonly string[];
}

/** The text of an issue that the app or the command line opens, in the form that tasks are read from. */
export function renderTaskBody({ alias, origin, words, files }: TaskBody): string {
  const parts = [
    aliasMarker(alias),
    origin,
    words,
    // In a fence a line is a pattern as it stands.
    files.length === 0 ? "" : `### Files\n\n${codeFence(files.join("\n"))}`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
