/** A shell answers these words itself, or lets them stand before a program. */
const OF_THE_SHELL =
  /^(?:alias|cd|command|echo|eval|exec|exit|export|false|for|if|printf|read|set|test|time|trap|true|ulimit|umask|unset|until|while)$/;

/** Returns the program that a shell command begins with, or undefined when that cannot be told. */
export function firstProgram(command: string): string | undefined {
  const [, quoted, plain = ""] =
    /^\s*(?:"([^"$`\\]+)"|([\w./+-]+))(?=$|[\s;&|<>])/.exec(command) ?? [];
  const word = quoted ?? plain;
  // A relative path names a file of the workspace, which is not there yet.
  const isHere = word.startsWith("/") || /^\w[^/]*$/.test(word);
  return isHere && !OF_THE_SHELL.test(word) ? word : undefined;
}

/** Lists the files that a shell command names by a whole path behind its first word, such as the script of an interpreter. */
export function namedFiles(command: string): readonly string[] {
  const words = command.matchAll(
    /(?<=\s)(?<!>\s{0,3})(?:"(\/[^"$`\\\s]+)"|(\/[\w./+@-]+))(?=$|[\s;&|])/g,
  );
  return [...words].flatMap(([, quoted, plain]) => quoted ?? plain ?? []);
}
