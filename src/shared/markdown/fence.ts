import { canHide } from "./hiding-maths.ts";
import type { LeftOut } from "./left-out.ts";

export interface Code {
  readonly language: string;
  /** Undefined where nothing of it is shown as text. */
  readonly text: string | undefined;
  readonly leftOut?: LeftOut;
}

const LANGUAGE = /^[A-Za-z][A-Za-z0-9+#.-]{0,19}$/;
/** Shown as a map or a model, their text nowhere. */
const DRAWN = ["geojson", "topojson", "stl"];
/** What Mermaid reads and does not draw. */
const UNDRAWN = /^[ \t]*(?:%%|acc(?:Title|Descr)\b).*(?:\n|$)/gm;

/** What is seen of a block of code. Its first word chooses the colours or the drawing; the others show nowhere. */
export function readFence(info: string, content: string): Code {
  const [first = "", ...more] = info.trim().split(/\s+/);
  const language = LANGUAGE.test(first) ? first : "";
  const kind = language.toLowerCase();
  if (DRAWN.includes(kind)) return { language, text: undefined, leftOut: "text behind a drawing" };
  if (kind === "math" && canHide(content)) {
    return { language, text: undefined, leftOut: "maths that can hide text" };
  }
  const text = kind === "mermaid" ? content.replace(UNDRAWN, "") : content;
  if (text !== content) return { language, text, leftOut: "text behind a drawing" };
  const isPlain = more.length === 0 && language === first;
  return isPlain
    ? { language, text }
    : { language, text, leftOut: "words beside the language of a code block" };
}
