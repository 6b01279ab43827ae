import type { FilePatch } from "../git/diff.ts";
import { html } from "./html.ts";
import type { Html } from "./html.ts";

/** A browser copes with this many lines; the rest can be read with git. */
const MOST_LINES = 4000;

export function diffSection(files: readonly FilePatch[]): Html {
  let left = MOST_LINES;
  const shown = files.map((file) => {
    const lines = file.lines.slice(0, Math.max(0, left));
    left -= file.lines.length;
    return fileDiff(file, lines);
  });
  return html`<h2>Changed files <span class="number">${files.length}</span></h2>
    ${shown}`;
}

function fileDiff(file: FilePatch, lines: readonly string[]): Html {
  const renamed = file.previousPath === null ? html`` : html`<bdi>${file.previousPath}</bdi> → `;
  const hidden = file.lines.length - lines.length;
  return html`<details class="file" open>
    <summary>
      <b>${renamed}<bdi>${file.path}</bdi></b> ${file.status}
      <span class="go">+${file.additions}</span> <span class="stop">−${file.deletions}</span>
    </summary>
    <pre class="diff" tabindex="0" aria-label="Difference">
${lines.map(diffLine)}${hidden === 0 ? html`` : html`<span class="hunk">${hidden} more lines are not shown here</span>`}</pre>
  </details>`;
}

const KINDS: Readonly<Record<string, string>> = { "+": "plus", "-": "minus", "@": "hunk" };

function diffLine(patchLine: string): Html {
  const line = patchLine.replace(/\r$/, "");
  return html`<span class="${KINDS[line.charAt(0)] ?? "same"}">${line === "" ? " " : line}</span>`;
}
