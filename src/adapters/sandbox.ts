import type { OperatorConfig } from "../config/schema.ts";
import type { Sandbox } from "../ports/sandbox.ts";
import { AppError } from "../shared/app-error.ts";
import { probeBubblewrap } from "./sandbox-bubblewrap.ts";
import { containerSandbox } from "./sandbox-container.ts";

type Settings = Pick<OperatorConfig, "sandbox" | "readable" | "container" | "dataDir">;

export interface SandboxOptions {
  readonly operator: Settings;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const NONE: Sandbox = { level: "none", wrap: (argv) => argv };

/** The sandbox that the operator wants, tried out; there is no silent way from one level to a lower one. */
export async function createSandbox({ operator, environment }: SandboxOptions): Promise<Sandbox> {
  if (operator.sandbox === "none") return NONE;
  if (operator.sandbox === "container") {
    return containerSandbox(operator.container, environment.PATH ?? "");
  }
  const probed = await probeBubblewrap({
    dataDir: operator.dataDir,
    readable: operator.readable,
    path: environment.PATH ?? "",
  });
  if (probed.ok) return probed.value;
  const advice = "install bubblewrap, or write `sandbox: none` to run agents without a sandbox";
  throw new AppError("config-invalid", `no sandbox on this host (${probed.error}): ${advice}`);
}
