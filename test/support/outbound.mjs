// Run inside of a sandbox: tries the ways out that it is given as JSON, or finds there through the proxy, and prints what came of
// each, one line of JSON.
import { lookup, Resolver } from "node:dns/promises";
import { readFileSync } from "node:fs";
import { connect } from "node:net";

const PROXY_PORT = 3128;
const PATIENCE_MS = 120_000;

/** Everything that the other side says to a text. */
function talk(host, port, text) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    let said = "";
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error("silence")));
    socket.setEncoding("utf8");
    socket.on("connect", () => socket.write(text));
    socket.on("data", (data) => {
      said += data;
      // The tunnel is open: the same words that a direct connection would hear.
      if (said === "HTTP/1.1 200 Connection established\r\n\r\n")
        socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    });
    socket.on("end", () => resolve(said));
    socket.on("error", reject);
  });
}

const summary = (said) => {
  const status = [...said.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, code]) => code);
  return `${status.join(" ")} ${said.split("\r\n\r\n").at(-1).trim()}`.trim();
};

const WAYS = {
  direct: async ({ host, port }) =>
    summary(await talk(host, port, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")),
  tunnel: async ({ to }) =>
    summary(await talk("127.0.0.1", PROXY_PORT, `CONNECT ${to} HTTP/1.1\r\nHost: x\r\n\r\n`)),
  plain: async ({ url }) =>
    summary(
      await talk(
        "127.0.0.1",
        PROXY_PORT,
        `GET ${url} HTTP/1.1\r\nHost: named.example\r\nConnection: close\r\n\r\n`,
      ),
    ),
  lookup: async ({ name }) => (await lookup(name)).address,
  dns: async ({ server, name }) => {
    const resolver = new Resolver({ timeout: 500, tries: 1 });
    resolver.setServers([server]);
    return (await resolver.resolve4(name)).join();
  },
  interfaces: async () =>
    [...readFileSync("/proc/net/dev", "utf8").matchAll(/^\s*(\S+):/gm)]
      .map(([, name]) => name)
      .join(),
  routes: async () => readFileSync("/proc/net/route", "utf8").trim().split("\n").slice(1).join(),
};

const [, , given] = process.argv;
const text = given.startsWith("http")
  ? (await WAYS.plain({ url: given })).slice("200 ".length)
  : given;
const answers = [];
for (const attempt of JSON.parse(text)) {
  const answer = await WAYS[attempt.way](attempt).catch((error) => error.code ?? error.message);
  answers.push(answer);
}
console.log(JSON.stringify(answers));
