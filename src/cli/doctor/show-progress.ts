interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface Progress {
  readonly say: (words: string) => void;
  readonly clear: () => void;
}

const NEW_LINE = "\r\u001b[K";

/** On a terminal one line that is written over, else a line for each. */
export function showProgress(terminal: Terminal): Progress {
  const { isTTY = false } = terminal;
  return {
    say: (words) => {
      terminal.write(isTTY ? `${NEW_LINE}${words} …` : `${words}\n`);
    },
    clear: () => {
      if (isTTY) terminal.write(NEW_LINE);
    },
  };
}
