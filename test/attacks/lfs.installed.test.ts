import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { findObject, keepObject, nameOf, pointerTo } from "../../local-github/lfs/objects.ts";
import { hasProgram } from "../support/installed.ts";
import { World } from "../support/world.ts";

let world: World;
afterEach(() => world.close());

const LOGO = Buffer.from("a logo\n");
const NEW = Buffer.from("a new logo\n");

interface Stranger {
  readonly url: string;
  readonly asked: string[];
}

/** A server of somebody who wants the token. */
async function aStranger(): Promise<Stranger> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.writeHead(401, { "www-authenticate": "Basic" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** Every key by which a repository could lead git-lfs elsewhere, or have it start something. */
function lfsConfig(url: string, trap: string): string {
  return `[lfs]
	url = ${url}/lfs
	pushurl = ${url}/lfs
	fetchexclude = *
	standalonetransferagent = trap
	concurrenttransfers = 1
[remote]
	lfsdefault = trap
	lfspushdefault = trap
[remote "origin"]
	url = ${url}/acme/shop.git
	lfsurl = ${url}/lfs
	lfspushurl = ${url}/lfs
[remote "trap"]
	url = ${url}/trap.git
[lfs "customtransfer.basic"]
	path = ${trap}
[lfs "customtransfer.trap"]
	path = ${trap}
[lfs "extension.trap"]
	clean = ${trap}
	smudge = ${trap}
	priority = 0
[filter "lfs"]
	process = ${trap}
	clean = ${trap}
	smudge = ${trap}
[credential]
	helper = "!${trap}"
[core]
	hooksPath = .githooks
	askPass = ${trap}
[url "${url}/"]
	insteadOf = http://
`;
}

describe.runIf(hasProgram("git-lfs"))("a repository that wants more from Git LFS", () => {
  it("gets no token elsewhere and has nothing started, by its files or by its agent", async () => {
    const stranger = await aStranger();
    world = await World.create({
      startApp: false,
      files: { "README.md": "# shop\n" },
      repository: { verify: "grep -q logo art/logo.psd" },
    });
    const sprung = join(world.folder, "sprung");
    const trap = join(world.agentFolder, "trap");
    const config = lfsConfig(stranger.url, trap);
    await world.github.as("ann").push(world.repository, "main", {
      message: "a trap",
      files: {
        ".gitattributes": "*.psd filter=lfs diff=lfs merge=lfs -text\n",
        ".lfsconfig": config,
        ".gitconfig": config,
        ".githooks/pre-push": `#!/bin/sh\n${trap}\n`,
        "art/logo.psd": await keepObject(world.repository, LOGO),
        "art/lost.psd": pointerTo(Buffer.from("GitHub does not have it\n")),
      },
    });
    await world.startApp();
    const lines = [
      `printf '#!/bin/sh\\ntouch ${sprung}\\n' > ${trap} && chmod +x ${trap}`,
      `cp .lfsconfig "$(git rev-parse --git-common-dir)/config"`,
      `cp .lfsconfig "$(git rev-parse --git-dir)/config.worktree"`,
      `mkdir -p "$(git rev-parse --git-common-dir)/hooks"`,
      `cp ${trap} "$(git rev-parse --git-common-dir)/hooks/pre-push"`,
    ];
    const script = {
      reads: ["art/logo.psd"],
      writes: { "art/logo.psd": NEW.toString(), "art/.lfsconfig": config },
      lines,
    };
    await world.addTask({ id: "logo", files: ["art/**"], script });
    world.moveToReady("logo");
    await world.untilColumn("In review", "logo");
    world.github.as("bob").approve(world.pull("logo"));
    await world.untilColumn("Done", "logo");

    expect(existsSync(trap)).toBe(true);
    expect(await world.agentFile("logo.saw")).toBe("a logo\n");
    expect((await world.mainFiles())["art/logo.psd"]).toBe(pointerTo(NEW));
    expect(await findObject(world.repository, nameOf(NEW))).toBeDefined();
    expect(stranger.asked).toEqual([]);
    expect(existsSync(sprung)).toBe(false);
  });
});
