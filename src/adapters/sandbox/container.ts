import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { OperatorConfig } from "../../config/schema/operator-config.ts";
import type { Sandbox, SandboxView } from "../../ports/sandbox.ts";
import { probe } from "../process/probe.ts";
import { wayOut } from "./egress/way-out.ts";
import type { WayOut } from "./egress/way-out.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs every command in its own container. The client passes on signals and the exit code, and `--init` collects ended processes. */
export function containerSandbox(
  { program, image, args }: OperatorConfig["container"],
  environment: Environment,
): Sandbox {
  const engine = [...clientEnvironment(environment), program];
  return {
    level: "container",
    wrap: (argv, view) => {
      const way = wayOut(view, { node: "node", signals: "pass" });
      return [
        ...(way?.gate ?? []),
        ...engine,
        "run",
        "--name",
        nameOf(view.marker),
        "--rm",
        "--interactive",
        "--init",
        ...userArguments(program),
        "--cap-drop",
        "ALL",
        "--security-opt",
        "no-new-privileges",
        ...mounts(view),
        "--workdir",
        view.workspace,
        ...variableArguments(view),
        ...networkArguments(view, way),
        ...args,
        image ?? "",
        ...(way?.relay ?? []),
        ...argv,
      ];
    },
    // A container lives on when its client is killed. It is fine if it is gone already, and an engine that cannot be asked now is
    // asked again at the next start.
    end: async (marker) => {
      await probe([...engine, "rm", "--force", nameOf(marker)], environment["PATH"]);
    },
  };
}

/** Says why Node does not run in the image, which a list of hosts needs. The answer is undefined if it runs. */
export async function whyNoNode(
  { program, image, args }: OperatorConfig["container"],
  environment: Environment,
): Promise<string | undefined> {
  const engine = [...clientEnvironment(environment), program];
  const command = ["run", "--rm", "--network", "none", ...args, image ?? "", "node", "--version"];
  const probed = await probe([...engine, ...command], environment["PATH"]);
  return probed.ok ? undefined : probed.reason;
}

/**
 * The engine's client uses these variables, and it must see the server's values. It runs outside of the container: with the HOME
 * of a run it would read settings that an agent wrote, and these may name programs for it to start. Without the server's own
 * values it finds neither images nor its engine.
 */
const CLIENT = [
  "HOME",
  "TMPDIR",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_STATE_HOME",
  "XDG_CACHE_HOME",
  "XDG_RUNTIME_DIR",
  "DBUS_SESSION_BUS_ADDRESS",
  "CONTAINER_HOST",
  "CONTAINERS_CONF",
  "CONTAINERS_STORAGE_CONF",
  "REGISTRY_AUTH_FILE",
  "DOCKER_HOST",
  "DOCKER_CONFIG",
  "DOCKER_CONTEXT",
  "DOCKER_TLS_VERIFY",
  "DOCKER_CERT_PATH",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "no_proxy",
];

function clientEnvironment(environment: Environment): readonly string[] {
  const [set, unset] = [
    CLIENT.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [`${name}=${value}`];
    }),
    CLIENT.filter((name) => environment[name] === undefined),
  ];
  return ["env", ...unset.flatMap((name) => ["-u", name]), ...set];
}

/**
 * Variables are passed by name alone, so that no secret is in a command line. Only those that the client itself uses are passed
 * with their value.
 */
function variableArguments({ variables }: SandboxView): readonly string[] {
  return Object.entries(variables)
    .filter(([name]) => name !== "PATH")
    .flatMap(([name, value]) => ["--env", CLIENT.includes(name) ? `${name}=${value}` : name]);
}

/**
 * Files that the command writes must belong to the server's user. In a user's podman that user is root, and everyone else is
 * unknown to the host, so it needs `keep-id`.
 */
function userArguments(program: string): readonly string[] {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const isOwnPodman = basename(program) === "podman" && uid !== 0;
  return [...(isOwnPodman ? ["--userns", "keep-id"] : []), "--user", `${uid}:${gid}`];
}

/** The commands of one run follow each other, so one name is enough for all. */
function nameOf(marker: string): string {
  const hash = createHash("sha256").update(marker).digest("hex").slice(0, 12);
  return `wavetrain-${marker.replaceAll(/[^A-Za-z0-9]+/g, "-").slice(0, 60)}-${hash}`;
}

function mounts({ workspace, home, tmp, readable }: SandboxView): readonly string[] {
  const bind = (path: string): string => bindOf(path, path);
  return [
    ...[workspace, home, tmp].flatMap((path) => ["--mount", bind(path)]),
    ...readable.flatMap((path) => ["--mount", `${bind(path)},readonly`]),
  ];
}

function networkArguments({ network }: SandboxView, way: WayOut | undefined): readonly string[] {
  if (network === "open") return [];
  const closed = ["--network", "none"];
  if (way === undefined) return closed;
  return [...closed, "--mount", `${bindOf(way.shown.source, way.shown.target)},readonly`];
}

function bindOf(source: string, target: string): string {
  return `type=bind,source=${source},target=${target}`;
}
