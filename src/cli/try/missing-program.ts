import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** Words that a shell answers itself. */
const OF_THE_SHELL = new Set(
  (
    "alias bg break case cd command continue echo eval exec exit export false fg for getopts hash if jobs kill local " +
    "printf pwd read readonly return set shift test time times trap true type ulimit umask unalias unset until wait while"
  ).split(" "),
);

/** The program that a shell command begins with, if there is none of that name; undefined also when that cannot be told. */
export async function missingProgram(command: string, path: string): Promise<string | undefined> {
  const [, word = ""] = /^\s*([\w./+-]+)(?=$|[\s;&|<>])/.exec(command) ?? [];
  if (!isProgramHere(word) || OF_THE_SHELL.has(word)) return undefined;
  const places = isAbsolute(word) ? [word] : path.split(delimiter).map((dir) => join(dir, word));
  const found = await Promise.all(places.map(isExecutable));
  return found.includes(true) ? undefined : word;
}

/** A relative path names a file of the workspace, which is not there yet. */
function isProgramHere(word: string): boolean {
  return isAbsolute(word) || /^\w[^/]*$/.test(word);
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
