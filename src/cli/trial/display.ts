import logUpdate from "log-update";
import { cutText, printable } from "../text/terminal-text.ts";
import { clockText } from "../text/timeline.ts";

/** A display shows a trial while it lasts. */
export interface Display<Progress> {
  /** Says what is done before the work begins, and for how long already. */
  prepare(words: string, elapsedMs: number): void;
  /** Says something once, between the pictures. */
  say(words: string): void;
  update(progress: Progress): void;
  done(): void;
}

/** Draws a picture in a terminal anew at each step. */
export function drawnDisplay<Progress>(
  draw: (progress: Progress, width: number) => string,
): Display<Progress> {
  const width = (): number => process.stdout.columns || 100;
  return {
    prepare: (words, elapsedMs) => {
      logUpdate(cutText(`${clockText(elapsedMs)}  ${printable(words)}`, width()));
    },
    say: (words) => {
      logUpdate.clear();
      console.log(words);
    },
    update: (progress) => {
      logUpdate(draw(progress, width()));
    },
    done: () => {
      logUpdate.done();
    },
  };
}

/** Prints lines, for logs and pipes. What is done before the work begins is said once. */
export function printedDisplay<Progress>(
  update: (progress: Progress, say: (words: string) => void) => void,
): Display<Progress> {
  const prepared = new Set<string>();
  const say = (words: string): void => {
    console.log(words);
  };
  return {
    prepare: (words) => {
      if (!prepared.has(words)) say(words);
      prepared.add(words);
    },
    say,
    update: (progress) => {
      update(progress, say);
    },
    done: () => undefined,
  };
}

/** Leaves standard output to the result. */
export function silentDisplay(): Display<unknown> {
  return {
    prepare: () => undefined,
    say: (words) => {
      console.error(words);
    },
    update: () => undefined,
    done: () => undefined,
  };
}
