/** The name of the proxy's socket in its folder. */
export const SOCKET = "proxy.sock";
/** Where that folder is seen inside of a sandbox. */
export const INSIDE = "/run/wavetrain";

/**
 * Run by `node -e` inside of a sandbox without a network: `RELAY port socket signals command…`. What connects to the port is led to the
 * socket, and the command starts when the port is open. Nothing depends on it but the command itself: who may pass is decided outside.
 */
export const RELAY = `
const { connect, createServer } = require("node:net");
const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const [port, socket, signals, program, ...args] = process.argv.slice(1);
const relay = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
  const proxy = connect({ path: socket, allowHalfOpen: true });
  for (const [one, other] of [[client, proxy], [proxy, client]]) {
    one.on("error", () => other.destroy());
    one.on("close", (failed) => failed && other.destroy());
    one.pipe(other);
  }
});
const fail = (error) => {
  console.error("wavetrain: network: " + error.message);
  process.exit(127);
};
relay.on("error", fail);
relay.listen(Number(port), "127.0.0.1", () => {
  const child = spawn(program, args, { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"])
    process.on(signal, () => signals === "pass" && child.kill(signal));
  child.on("error", fail);
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
});
`;
