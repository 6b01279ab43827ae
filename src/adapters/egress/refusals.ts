import { REFUSAL } from "../../domain/network/network.ts";

/** Of one command. An agent that tries ever new names must not fill the log with them. */
const MOST_LINES = 100;
const LONGEST_NAME = 100;

/** Makes one line of each refusal, the first time. */
export function createRefusals(write: (line: string) => void): (what: string, why: string) => void {
  const told = new Set<string>();
  return (what, why) => {
    if (told.size > MOST_LINES) return;
    // Whoever asked chose these words: no line of theirs may look like one of somebody else.
    const name = what.replaceAll(/[^\x21-\x7e]+/g, "?").slice(0, LONGEST_NAME);
    const line = `${REFUSAL} refused ${name}: ${why.slice(0, LONGEST_NAME * 2)}`;
    if (told.has(line)) return;
    told.add(line);
    write(told.size > MOST_LINES ? `${REFUSAL} what else is refused is not listed` : line);
  };
}
