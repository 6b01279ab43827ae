/** The proxy's socket has this name in its folder. */
export const SOCKET = "proxy.sock";
/** The sandbox shows that folder under this path. */
export const INSIDE = "/run/wavetrain";

/**
 * This is run by `node -e` inside of a sandbox without a network: `RELAY port socket signals command…`. It leads connections to
 * the port on to the socket, and starts the command when the port is open. Only the command depends on it: the proxy outside
 * decides who may pass.
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
