import { createHash } from "node:crypto";
import { execa } from "execa";
import type { OperatorConfig } from "../config/schema.ts";
import type { Sandbox, SandboxView } from "../ports/sandbox.ts";

/** A container for every command. The client carries signals and the exit code, `--init` the processes' ends. */
export function containerSandbox({ program, image, args }: OperatorConfig["container"]): Sandbox {
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  return {
    level: "container",
    wrap: (argv, view) => [
      ...[program, "run", "--name", nameOf(view.marker), "--rm", "--interactive", "--init"],
      ...["--user", user],
      ...["--cap-drop", "ALL", "--security-opt", "no-new-privileges"],
      ...mounts(view),
      ...["--workdir", view.workspace],
      ...view.variables.filter((name) => name !== "PATH").flatMap((name) => ["--env", name]),
      ...args,
      ...[image ?? "", ...argv],
    ],
    // Killed with its client, a container lives on. One that is gone is what we want, and an engine that cannot be asked now is
    // asked again at the next start.
    end: async (marker) => {
      await execa(program, ["rm", "--force", nameOf(marker)], { reject: false, stdio: "ignore" });
    },
  };
}

/** Commands of one run follow each other, so that one name does for all. */
function nameOf(marker: string): string {
  const hash = createHash("sha256").update(marker).digest("hex").slice(0, 12);
  return `wavetrain-${marker.replaceAll(/[^A-Za-z0-9]+/g, "-").slice(0, 60)}-${hash}`;
}

function mounts({ workspace, home, tmp, readable }: SandboxView): readonly string[] {
  const bind = (path: string): string => `type=bind,source=${path},target=${path}`;
  return [
    ...[workspace, home, tmp].flatMap((path) => ["--mount", bind(path)]),
    ...readable.flatMap((path) => ["--mount", `${bind(path)},readonly`]),
  ];
}
