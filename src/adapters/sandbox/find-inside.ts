import { access, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FoundInside, Sandbox } from "../../ports/sandbox.ts";
import { probe } from "../process/probe.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface InsideQuestion {
  readonly program: string;
  /** The command names these files, too. */
  readonly files: readonly string[];
}

/** Says what it finds in its first line. A program with a `#!` line also needs what that line names. */
const SCRIPT = `
found=$(command -v "$1") || { echo "missing $1"; exit 0; }
case $found in /*) ;; *) echo found; exit 0 ;; esac
[ -x "$found" ] || { echo "missing $1"; exit 0; }
shift
for file in "$@"; do [ -e "$file" ] || { echo "missing $file"; exit 0; }; done
line=
IFS= read -r line 2>/dev/null < "$found"
case $line in '#!'*) ;; *) echo found; exit 0 ;; esac
set -f
set -- \${line#??}
while [ $# -gt 0 ]; do
  case $1 in -*) shift; continue ;; esac
  command -v "$1" > /dev/null || { echo "missing $1"; exit 0; }
  case $1 in */env) shift ;; *) break ;; esac
done
echo found
`;

/** Looks for a program as a run in this sandbox would: what is there for the server may not be there for an agent. */
export async function findInside(
  question: InsideQuestion,
  sandbox: Sandbox,
  environment: Environment,
): Promise<FoundInside> {
  const files = sandbox.level === "container" ? [] : await thoseThere(question.files);
  const folder = await realpath(await mkdtemp(join(tmpdir(), "wavetrain-look-")));
  try {
    const path = environment["PATH"] ?? "";
    const argv = sandbox.wrap(["/bin/sh", "-c", SCRIPT, "sh", question.program, ...files], {
      workspace: folder,
      home: folder,
      tmp: folder,
      readable: [],
      marker: folder,
      variables: { PATH: path, HOME: folder },
      network: "open",
      gate: folder,
    });
    const probed = await probe(argv, path);
    return probed.ok ? answerOf(probed.output) : { kind: "untried", reason: probed.reason };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function answerOf(output: string): FoundInside {
  const [line = ""] = output.trim().split("\n");
  if (line === "found") return { kind: "found" };
  const [, name] = /^missing (.+)$/.exec(line) ?? [];
  return name === undefined
    ? { kind: "untried", reason: "the sandbox gave no answer" }
    : { kind: "missing", name };
}

async function thoseThere(files: readonly string[]): Promise<readonly string[]> {
  const found = files.map((file) =>
    access(file).then(
      () => [file],
      () => [],
    ),
  );
  return (await Promise.all(found)).flat();
}
