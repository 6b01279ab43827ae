/** What the server said of a push, beside git's own one line: there a rule or a missing permission is named. */
export function remoteWords(stderr: string): readonly string[] {
  return stderr
    .split(/[\r\n]+/)
    .flatMap((line) => /^remote:\s*(.+?)\s*$/.exec(line)?.[1] ?? [])
    .filter((text) => !/^(?:Resolving deltas|Compressing objects|Counting objects)/.test(text));
}
