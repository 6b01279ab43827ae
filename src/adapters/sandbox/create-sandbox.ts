import type { OperatorConfig } from "../../config/schema/operator-config.ts";
import { closedNetworks } from "../../config/schema/sandbox-schema.ts";
import type { Sandbox } from "../../ports/sandbox.ts";
import { AppError } from "../../shared/app-error.ts";
import { fail, ok } from "../../shared/result.ts";
import { probeBubblewrap } from "./bubblewrap.ts";
import { containerSandbox, whyNoNode } from "./container.ts";
import { probePidNamespace } from "./pid-namespace.ts";

type Settings = Pick<
  OperatorConfig,
  "sandbox" | "pidNamespace" | "readable" | "container" | "dataDir" | "network" | "runners"
>;

export interface SandboxOptions {
  readonly operator: Settings;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Makes the sandbox that the operator wants and tries it out. It never falls back silently to a lower level. */
export async function createSandbox({ operator, environment }: SandboxOptions): Promise<Sandbox> {
  if (operator.sandbox === "none") return noSandbox(operator, environment.PATH ?? "");
  if (operator.sandbox === "container") return createContainer({ operator, environment });
  const probed = await probeBubblewrap({
    dataDir: operator.dataDir,
    readable: operator.readable,
    path: environment.PATH ?? "",
    closes: closedNetworks(operator).length > 0,
  });
  if (probed.ok) return probed.value;
  const advice = "install bubblewrap, or write `sandbox: none` to run agents without a sandbox";
  throw new AppError("config-invalid", `no sandbox on this host (${probed.error}): ${advice}`);
}

async function createContainer({ operator, environment }: SandboxOptions): Promise<Sandbox> {
  const { container } = operator;
  if (closedNetworks(operator).some(({ network }) => typeof network !== "string")) {
    const reason = await whyNoNode(container, environment);
    const image = container.image ?? "";
    if (reason !== undefined)
      throw new AppError(
        "config-invalid",
        `a list of hosts needs node in the image ${image}, where it does not run: ${reason}`,
      );
  }
  return containerSandbox(container, environment);
}

/** The command can see everything of the host. Its processes end with it if the host gives it a namespace for that. */
async function noSandbox({ pidNamespace }: Settings, path: string): Promise<Sandbox> {
  const found =
    pidNamespace === "none"
      ? fail("switched off by `pidNamespace: none`")
      : await probePidNamespace(path);
  if (!found.ok) return { level: "none", processes: found, wrap: (argv) => argv };
  const namespace = found.value;
  return { level: "none", processes: ok(namespace.kind), wrap: (argv) => namespace.wrap(argv) };
}
