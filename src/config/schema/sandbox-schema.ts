import * as z from "zod";
import { parseHostRule } from "../../domain/network/network.ts";
import type { Network } from "../../domain/network/network.ts";

const absolutePath = z
  .string()
  .regex(/^\/[^\0]*$/, { error: "expected an absolute path" })
  .refine((path) => !path.split("/").includes(".."), { error: "expected a path without .." });

const port = z.number().int().min(1024).max(65_535);

/** These keys say what runners, `setup` and `verify` see of the server. */
export const sandboxKeys = {
  sandbox: z
    .enum(["auto", "bubblewrap", "container", "none"])
    .default("auto")
    .describe(
      "What runners, `setup` and `verify` run in: `auto` is bubblewrap and refuses to start without it, `none` gives them all that the server's user can see.",
    ),
  pidNamespace: z
    .enum(["auto", "none"])
    .default("auto")
    .describe(
      "With `sandbox: none`: `auto` gives each command a PID namespace where the host has them, so that nothing outlives it; without root in a user namespace, where `sudo` does not work. `none` does without.",
    ),
  home: z
    .enum(["own", "user"])
    .default("own")
    .describe(
      "What commands have for HOME and environment: `own` is a HOME for each task and the variables that are listed; `user` is all that the server's user has, but for the app's secrets, as if the command were typed. Only with `sandbox: none` and without presets; `wavetrain try --command` uses it.",
    ),
  readable: z
    .array(absolutePath)
    .default([])
    .describe("Paths of the server that they may read in bubblewrap, besides system and PATH."),
  container: z
    .strictObject({
      program: z
        .string()
        .min(1)
        .default("docker")
        .describe("With `sandbox: container`: docker, podman or the like."),
      image: z
        .string()
        .min(1)
        .optional()
        .describe("With `sandbox: container`: the image, with the agents' programs in it."),
      args: z
        .array(z.string())
        .default([])
        .describe("With `sandbox: container`: further arguments of `run`, before the image."),
    })
    .prefault({})
    .describe("A container for every command."),
  ports: z
    .strictObject({
      first: port
        .default(20_000)
        .describe("First port that workspaces get; each gets 20, told by WAVETRAIN_PORT_BASE."),
      last: port.default(29_999).describe("Last port that workspaces get."),
    })
    .prefault({})
    .describe("Ports for what runs in workspaces."),
};

interface SandboxSettings {
  readonly sandbox: string;
  readonly home: string;
  readonly runners: Readonly<Record<string, { readonly preset?: string | undefined }>>;
  readonly container: { readonly image?: string | undefined };
  readonly ports: { readonly first: number; readonly last: number };
}

const host = z.string().superRefine((text, context) => {
  const parsed = parseHostRule(text);
  if (!parsed.ok) context.addIssue({ code: "custom", message: parsed.error });
});

/** It says what commands may reach. */
export const network = (about: string) =>
  z
    .union([z.enum(["open", "none"]), z.array(host)], {
      error:
        "expected open, none, or a list of hosts such as example.com, *.example.com:8443 or 10.0.0.0/8",
    })
    .default("open")
    .describe(about);

/** These are for commands that belong to no runner. */
export const networks = z
  .strictObject({
    setup: network("What `setup` may reach, wherever it runs: `open`, `none`, or a list of hosts."),
    train: network("What `verify` may reach in the train: `open`, `none`, or a list of hosts."),
  })
  .prefault({})
  .describe("What commands may reach that are of no runner.");

/** Says which of the keys above do not go together. */
export function sandboxProblems(
  settings: SandboxSettings,
): readonly { readonly path: string[]; readonly message: string }[] {
  const { sandbox, container, ports } = settings;
  const noImage = sandbox === "container" && container.image === undefined;
  const tooFew = ports.last - ports.first + 1 < 20;
  return [
    ...(noImage
      ? [{ path: ["container", "image"], message: "expected the name of an image" }]
      : []),
    ...(tooFew
      ? [{ path: ["ports", "last"], message: "expected at least 19 more than ports.first" }]
      : []),
    ...homeProblems(settings),
  ];
}

/** A preset writes settings of its own into its HOME, and no sandbox shows that of the server's user. */
function homeProblems({
  home,
  sandbox,
  runners,
}: SandboxSettings): readonly { readonly path: string[]; readonly message: string }[] {
  if (home === "own") return [];
  const hasPreset = Object.values(runners).some(({ preset }) => preset !== undefined);
  return [
    ...(sandbox === "none"
      ? []
      : [{ path: ["home"], message: "expected own: `user` goes with `sandbox: none` only" }]),
    ...(hasPreset
      ? [{ path: ["home"], message: "expected own: a preset has a HOME of its own" }]
      : []),
  ];
}

interface NetworkSettings {
  readonly sandbox: string;
  readonly container: { readonly args: readonly string[] };
  readonly network: { readonly setup: Network; readonly train: Network };
  readonly runners: Readonly<
    Record<string, { readonly network: Network; readonly env: readonly string[] }>
  >;
}

interface Problem {
  readonly path: (string | number)[];
  readonly message: string;
}

/** Lists every network that is not open, with its place. */
export function closedNetworks({
  network: { setup, train },
  runners,
}: Pick<NetworkSettings, "network" | "runners">): readonly {
  readonly path: string[];
  readonly network: Network;
}[] {
  return [
    { path: ["network", "setup"], network: setup },
    { path: ["network", "train"], network: train },
    ...Object.entries(runners).map(([name, runner]) => ({
      path: ["runners", name, "network"],
      network: runner.network,
    })),
  ].filter(({ network }) => network !== "open");
}

/** Says which wanted restrictions cannot be enforced. */
export function networkProblems(settings: NetworkSettings): readonly Problem[] {
  const closed = closedNetworks(settings);
  if (closed.length === 0) return [];
  return [
    ...(settings.sandbox === "none"
      ? closed.map(({ path }) => ({
          path,
          message: "expected open: without a sandbox nothing keeps a command off the network",
        }))
      : []),
    ...engineProblems(settings),
    ...variableProblems(settings),
  ];
}

function engineProblems({ sandbox, container }: NetworkSettings): readonly Problem[] {
  if (sandbox !== "container") return [];
  return container.args.flatMap((argument, at) =>
    /^--(?:network|net)(?:=|$)/.test(argument)
      ? [
          {
            path: ["container", "args", at],
            message: "goes with networks that are all open; the others have one of their own",
          },
        ]
      : [],
  );
}

/** The proxy runs outside of the sandbox, with the runner's environment and in a folder that the runner writes. */
function variableProblems({ runners }: NetworkSettings): readonly Problem[] {
  return Object.entries(runners).flatMap(([name, { network, env }]) => {
    const at = env.indexOf("NODE_OPTIONS");
    if (typeof network === "string" || at === -1) return [];
    const message = "goes with `network: open` or `none` only; its proxy would load what it names";
    return [{ path: ["runners", name, "env", at], message }];
  });
}
