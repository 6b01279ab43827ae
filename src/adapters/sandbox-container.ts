import type { OperatorConfig } from "../config/schema.ts";
import type { Sandbox, SandboxView } from "../ports/sandbox.ts";

/** A container for every command. The client carries signals and the exit code, `--init` the processes' ends. */
export function containerSandbox({ program, image, args }: OperatorConfig["container"]): Sandbox {
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  return {
    level: "container",
    wrap: (argv, view) => [
      ...[program, "run", "--rm", "--interactive", "--init", "--user", user],
      ...["--cap-drop", "ALL", "--security-opt", "no-new-privileges"],
      ...mounts(view),
      ...["--workdir", view.workspace],
      ...view.variables.filter((name) => name !== "PATH").flatMap((name) => ["--env", name]),
      ...args,
      ...[image ?? "", ...argv],
    ],
  };
}

function mounts({ workspace, home, tmp, readable }: SandboxView): readonly string[] {
  const bind = (path: string): string => `type=bind,source=${path},target=${path}`;
  return [
    ...[workspace, home, tmp].flatMap((path) => ["--mount", bind(path)]),
    ...readable.flatMap((path) => ["--mount", `${bind(path)},readonly`]),
  ];
}
