import * as z from "zod";
import { parseHostRule } from "../domain/network/host-rule.ts";
import type { Network } from "../domain/network/network.ts";

const host = z.string().superRefine((text, context) => {
  const parsed = parseHostRule(text);
  if (!parsed.ok) context.addIssue({ code: "custom", message: parsed.error });
});

/** What commands may reach. */
export const network = (about: string) =>
  z
    .union([z.enum(["open", "none"]), z.array(host)], {
      error:
        "expected open, none, or a list of hosts such as example.com, *.example.com:8443 or 10.0.0.0/8",
    })
    .default("open")
    .describe(about);

/** For commands that are of no runner. */
export const networks = z
  .strictObject({
    setup: network("What `setup` may reach, wherever it runs: `open`, `none`, or a list of hosts."),
    train: network("What `verify` may reach in the train: `open`, `none`, or a list of hosts."),
  })
  .prefault({})
  .describe("What commands may reach that are of no runner.");

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

/** Every network that is not open, with its place. */
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

/** What is asked for and cannot be held. */
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
