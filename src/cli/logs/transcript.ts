import { parseEvent } from "../../runner/presets/event.ts";
import { cleanLine, cleanText, cutEnd } from "../../shared/clean-text.ts";
import { printable } from "../text/terminal-text.ts";
import { TELLERS } from "./tell-event.ts";
import type { Deed, Tell } from "./tell-event.ts";

/** Nobody reads more of a line; `--raw` has all of it. */
const MAX_LINE_LENGTH = 2000;
/** A line that is longer than this is no event of ours, and must not fill the memory. */
const MAX_HELD = 2 * 1_048_576;
const VERB_WIDTH = 6;

/** Makes lines for people out of a log that comes in pieces. */
export class Transcript {
  readonly #tell: Tell | undefined;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #words = "";

  /** Only the output of a preset whose events are known is told; everything else is shown as it is. */
  constructor(preset: string | undefined) {
    this.#tell = preset === undefined ? undefined : TELLERS[preset];
  }

  add(bytes: Uint8Array): readonly string[] {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split("\n");
    this.#rest = (lines.pop() ?? "").slice(0, MAX_HELD);
    return lines.flatMap((line) => this.#line(line));
  }

  /** Returns what was held back in the hope of more. */
  end(): readonly string[] {
    const last = this.#rest + this.#decoder.decode();
    this.#rest = "";
    return [...(last === "" ? [] : this.#line(last)), ...this.#pieced()];
  }

  #line(line: string): readonly string[] {
    const event = this.#tell === undefined ? undefined : parseEvent(line);
    const deeds = event && this.#tell?.(event);
    if (deeds === undefined) return [...this.#pieced(), plainLine(line)];
    return deeds.flatMap((one) => this.#told(one));
  }

  #told({ verb, words, more }: Deed): readonly string[] {
    if (more) {
      this.#words = (this.#words + words).slice(0, MAX_LINE_LENGTH);
      return [];
    }
    return [...this.#pieced(), sentence(verb, words)];
  }

  #pieced(): readonly string[] {
    const words = this.#words;
    this.#words = "";
    return words.trim() === "" ? [] : [sentence("says", words)];
  }
}

function sentence(verb: Deed["verb"], words: string): string {
  return `${verb.padEnd(VERB_WIDTH)} ${printable(cleanLine(words, MAX_LINE_LENGTH))}`;
}

/** A line that was written over with a carriage return is shown as it was in the end. */
function plainLine(line: string): string {
  const parts = cleanText(line.slice(0, MAX_LINE_LENGTH * 4)).split("\n");
  const last = parts.findLast((part) => part.trim() !== "") ?? "";
  return printable(cutEnd(last.replaceAll("\t", "    "), MAX_LINE_LENGTH)).trimEnd();
}
