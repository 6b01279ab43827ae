import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";

/** This is a command as it is run in every workspace. */
export interface TypedCommand {
  readonly command: string;
  /** It names these files of this machine, which a sandbox would not show by itself. */
  readonly files: readonly string[];
  /** It names this file of the repository. */
  readonly tracked?: string;
}

export interface TypedWhere {
  /** The command was typed in this folder. */
  readonly folder: string;
  /** Every workspace is a copy of it; it is undefined for the sample project. */
  readonly repo: string | undefined;
  readonly path: string;
  /** Where it is given, what the repository has committed comes before the folder, and nothing else of the repository is there. */
  readonly isTracked?: (path: string) => boolean;
}

/** A shell answers these words itself. */
const OF_THE_SHELL = new Set(
  (
    "alias bg break case cd command continue echo eval exec exit export false fg for getopts hash if jobs kill local " +
    "printf pwd read readonly return set shift test time times trap true type ulimit umask unalias unset until wait while"
  ).split(" "),
);

/** The first word after one of these names a file to run, unless it is an option. */
const INTERPRETER = /^(?:ba|da|z|k)?sh$|^python[\d.]*$|^(?:node|ruby|perl|php|tsx)$/;

const WORD = String.raw`(?:"([^"$\x60\\]+)"|'([^']+)'|([\w./+@-]+))(?=$|[\s;&|<>])`;
const FIRST_WORD = new RegExp(String.raw`^(\s*)${WORD}`);
const SECOND_WORD = new RegExp(String.raw`^(\s*[\w./+@-]+\s+)${WORD}`);

/** Makes a typed command one that does the same in another folder, or says why that cannot work. */
export async function findCommand(
  typed: string,
  where: TypedWhere,
): Promise<Result<TypedCommand, string>> {
  const program = wordOf(FIRST_WORD, typed);
  if (program === undefined) return ok({ command: typed, files: [] });
  if (isRelativePath(program.word)) return locate(typed, program, where);
  const missing = await missingProgram(typed, where.path);
  if (missing !== undefined) return fail(`${missing}: there is no such program`);
  const script = INTERPRETER.test(program.word) ? wordOf(SECOND_WORD, typed) : undefined;
  if (script === undefined || script.word.startsWith("-") || isAbsolute(script.word)) {
    return ok({ command: typed, files: isAbsolute(program.word) ? [program.word] : [] });
  }
  return locate(typed, { ...script, isRead: true }, where);
}

/** Returns the program that a shell command begins with if there is none of that name; undefined also when that cannot be told. */
export async function missingProgram(command: string, path: string): Promise<string | undefined> {
  const word = wordOf(FIRST_WORD, command)?.word ?? "";
  const isHere = isAbsolute(word) || /^\w[^/]*$/.test(word);
  if (!isHere || OF_THE_SHELL.has(word)) return undefined;
  const places = isAbsolute(word) ? [word] : path.split(delimiter).map((dir) => join(dir, word));
  const found = await Promise.all(places.map(isExecutable));
  return found.includes(true) ? undefined : word;
}

interface Found {
  readonly word: string;
  readonly from: number;
  readonly to: number;
  /** An interpreter reads the file, which then need not be executable. */
  readonly isRead?: boolean;
}

function wordOf(pattern: RegExp, command: string): Found | undefined {
  const match = pattern.exec(command);
  if (match === null) return undefined;
  const [all, before = "", double, single, plain] = match;
  return { word: double ?? single ?? plain ?? "", from: before.length, to: all.length };
}

function isRelativePath(word: string): boolean {
  return word.includes("/") && !isAbsolute(word);
}

/** The folder where it was typed comes first; what is only in the repository is in every workspace. */
async function locate(
  typed: string,
  { word, from, to, isRead = false }: Found,
  where: TypedWhere,
): Promise<Result<TypedCommand, string>> {
  if (where.isTracked?.(word) === true) return ok({ command: typed, files: [], tracked: word });
  const file = resolve(where.folder, word);
  if (await isFile(file)) {
    if (!isRead && !(await isExecutable(file))) {
      return fail(`${word}: not executable; chmod +x ${word} makes it so`);
    }
    const command = typed.slice(0, from) + quoted(file) + typed.slice(to);
    return ok({ command, files: [file] });
  }
  return inRepository(typed, word, where);
}

async function inRepository(
  typed: string,
  word: string,
  { folder, repo, isTracked }: TypedWhere,
): Promise<Result<TypedCommand, string>> {
  if (repo === undefined) return fail(`${word}: there is no such file in ${folder}`);
  if (isTracked !== undefined)
    return fail(`${word}: there is no such file in ${folder}, nor was it committed in ${repo}`);
  if (await isFile(resolve(repo, word))) return ok({ command: typed, files: [] });
  return fail(`${word}: there is no such file in ${folder}, nor in ${repo}`);
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
