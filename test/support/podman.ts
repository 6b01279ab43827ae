import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readlink,
  realpath,
  rm,
  symlink,
  lstat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { skip } from "./installed.ts";

const run = promisify(execFile);

/** What the tests' commands use. */
const PROGRAMS = [
  "sh",
  "env",
  "ls",
  "cat",
  "cp",
  "rm",
  "mkdir",
  "touch",
  "sleep",
  "id",
  "setsid",
  "ps",
  "grep",
  "wc",
  "mount",
  "chmod",
  "head",
  "tr",
];
const LINKS = ["/bin", "/sbin", "/lib", "/lib64"];

/** For `container.args`: inside of another sandbox the limits that podman would set are too high. */
export const PODMAN_ARGS = ["--ulimit", "nofile=20000:20000", "--ulimit", "nproc=4096:4096"];

export interface Podman {
  /** For `container.program`: the real podman with the runtime that works on every kind of host. */
  readonly program: string;
  readonly image: string;
}

/** A real engine and an image for it, in a folder of the test's own; undefined, and said aloud, where there is none. */
export async function realPodman(): Promise<Podman | undefined> {
  try {
    const image = await makeImage();
    const folder = await mkdtemp(join(inject("runFolder"), "podman-"));
    const program = join(folder, "podman");
    await writeFile(program, `#!/bin/sh\nexec podman --runtime runc "$@"\n`);
    await chmod(program, 0o755);
    const args = [
      "run",
      "--rm",
      "--init",
      "--network",
      "none",
      ...PODMAN_ARGS,
      image,
      "/bin/sh",
      "-c",
      "echo works",
    ];
    const { stdout } = await run(program, args);
    if (stdout.trim() !== "works") throw new Error("a container did not do its work");
    return { program, image };
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split("\n").at(-1) : "";
    skip("podman", reason ?? "");
    return undefined;
  }
}

/** From files of this host, in seconds and without a registry: a shell, a few programs and Node. It is kept for the next run of the tests. */
async function makeImage(): Promise<string> {
  const image = `localhost/wavetrain-test:2-node-${process.versions.node}`;
  if (
    await run("podman", ["image", "exists", image]).then(
      () => true,
      () => false,
    )
  )
    return image;
  const root = await mkdtemp(join(tmpdir(), "wavetrain-image-"));
  try {
    for (const link of LINKS) {
      if (existsSync(link) && (await lstat(link)).isSymbolicLink())
        await symlink(await readlink(link), join(root, link));
    }
    for (const name of PROGRAMS)
      await copyProgram((await run("sh", ["-c", `command -v ${name}`])).stdout.trim(), root);
    await copyProgram(process.execPath, root);
    // Where the engine looks for `node`, wherever this host has it.
    if (!existsSync(join(root, "usr/bin/node")))
      await symlink(process.execPath, join(root, "usr/bin/node"));
    await chmod(root, 0o755);
    await run("tar", ["-C", root, "-cf", `${root}.tar`, "."]);
    await run("podman", ["import", "--quiet", `${root}.tar`, image]);
    return image;
  } finally {
    for (const path of [root, `${root}.tar`]) await rm(path, { recursive: true, force: true });
  }
}

async function copyProgram(path: string, root: string): Promise<void> {
  const real = await realpath(path);
  const { stdout } = await run("ldd", [real]).catch(() => ({ stdout: "" }));
  const libraries = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, file]) => file ?? "");
  for (const file of [real, ...libraries]) await copyInto(root, file);
  if (path !== real) await copyInto(root, path, real);
}

async function copyInto(root: string, file: string, from = file): Promise<void> {
  // The folder as the host has it, without links: the image has those itself.
  const folder = await realpath(dirname(file));
  await mkdir(join(root, folder), { recursive: true });
  const target = join(root, folder, file.slice(dirname(file).length));
  if (!existsSync(target)) await copyFile(await realpath(from), target);
}
