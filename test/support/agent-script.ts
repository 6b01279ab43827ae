import { dirname } from "node:path";

/** What the tests' runner does for one task. */
export interface Script {
  /** Files whose content it notes before it writes any, as `<id>.saw`, with what git says of its workspace, as `<id>.status`. */
  readonly reads?: readonly string[];
  readonly writes?: Readonly<Record<string, string>>;
  readonly deletes?: readonly string[];
  readonly failures?: number;
  /** Ends as at its provider's limit until this moment, before doing anything. */
  readonly limitedUntil?: string;
  /** The attempts to which that happens; every one unless given. */
  readonly limitedAttempts?: number;
  /** Files in the agent's folder, e.g. `other.started`, that must appear before it goes on. */
  readonly waitFor?: readonly string[];
  /** Lines of a shell, after it wrote. */
  readonly lines?: readonly string[];
  /** It never ends by itself. */
  readonly hangs?: true;
  readonly says?: string;
  /** Laid over the rest for one attempt, or for one contender. */
  readonly attempts?: Readonly<Record<number, Script>>;
  readonly contenders?: Readonly<Record<number, Script>>;
}

/** For `agent.sh`, which reads it as a part of itself. */
export function toShell(script: Script): string {
  // The first that fits is taken: the most particular stand first.
  const cases = choices(script.contenders).flatMap(([contender, ofContender]) =>
    choices(script.attempts).map(([attempt, ofAttempt]) => {
      const steps = stepsOf({ ...script, ...ofAttempt, ...ofContender });
      return `${attempt}.${contender})\n${steps.join("\n")}\n;;`;
    }),
  );
  return `case "$attempt.$contender" in\n${cases.join("\n")}\nesac\n`;
}

function choices(given: Readonly<Record<number, Script>> = {}): readonly [string, Script][] {
  return [...Object.entries(given), ["*", {}]];
}

function stepsOf(script: Script): readonly string[] {
  const { failures = 0, says } = script;
  return [
    ...(script.waitFor ?? []).map((name) => `await ${quoted(name)}`),
    ...limitOf(script),
    ...readingOf(script),
    ...Object.entries(script.writes ?? {}).flatMap(([path, text]) => [
      `mkdir -p ${quoted(dirname(path))}`,
      `printf %s ${quoted(text)} > ${quoted(path)}`,
    ]),
    ...(script.deletes ?? []).map((path) => `rm ${quoted(path)}`),
    ...(script.lines ?? []),
    ...(script.hangs === true ? [`: > "$AGENT_DIR/$id.hangs"; await never`] : []),
    ...(says === undefined ? [] : [`says=${quoted(says)}`]),
    `if [ "$attempt" -le ${failures} ]; then status=3; fi`,
  ];
}

function readingOf({ reads }: Script): readonly string[] {
  if (reads === undefined) return [];
  return [
    `cat ${reads.map(quoted).join(" ")} > "$AGENT_DIR/$id.saw"`,
    `git status --porcelain > "$AGENT_DIR/$id.status"`,
    `git config --list --show-origin > "$AGENT_DIR/$id.config"`,
  ];
}

function limitOf({ limitedUntil, limitedAttempts }: Script): readonly string[] {
  if (limitedUntil === undefined) return [];
  const end = `echo ${quoted(`wavetrain: limited until ${limitedUntil}`)}; exit 75`;
  if (limitedAttempts === undefined) return [end];
  return [`if [ "$attempt" -le ${limitedAttempts} ]; then ${end}; fi`];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
