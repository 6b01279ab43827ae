/** Words that a shell answers itself; also what may stand before a program. */
const OF_THE_SHELL =
  /^(?:alias|cd|command|echo|eval|exec|exit|export|false|for|if|printf|read|set|test|time|trap|true|ulimit|umask|unset|until|while)$/;

/** The program that a shell command begins with; undefined when that cannot be told. */
export function firstProgram(command: string): string | undefined {
  const [, quoted, plain = ""] =
    /^\s*(?:"([^"$`\\]+)"|([\w./+-]+))(?=$|[\s;&|<>])/.exec(command) ?? [];
  const word = quoted ?? plain;
  // A relative path names a file of the workspace, which is not there yet.
  const isHere = word.startsWith("/") || /^\w[^/]*$/.test(word);
  return isHere && !OF_THE_SHELL.test(word) ? word : undefined;
}
