import * as z from "zod";

const absolutePath = z
  .string()
  .regex(/^\/[^\0]*$/, { error: "expected an absolute path" })
  .refine((path) => !path.split("/").includes(".."), { error: "expected a path without .." });

const port = z.number().int().min(1024).max(65_535);

/** What runners, `setup` and `verify` see of the server. */
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
  readonly container: { readonly image?: string | undefined };
  readonly ports: { readonly first: number; readonly last: number };
}

/** What the keys above say together that does not go together. */
export function sandboxProblems({
  sandbox,
  container,
  ports,
}: SandboxSettings): readonly { readonly path: string[]; readonly message: string }[] {
  const noImage = sandbox === "container" && container.image === undefined;
  const tooFew = ports.last - ports.first + 1 < 20;
  return [
    ...(noImage
      ? [{ path: ["container", "image"], message: "expected the name of an image" }]
      : []),
    ...(tooFew
      ? [{ path: ["ports", "last"], message: "expected at least 19 more than ports.first" }]
      : []),
  ];
}
