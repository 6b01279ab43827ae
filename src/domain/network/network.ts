/** What a command may reach: all that the host can, nothing, or what is named (`host-rule.ts` says how). */
export type Network = "open" | "none" | readonly string[];

/** Of a proxy inside of a network of named hosts: the sandbox's own loopback interface, where there is nobody else. */
export const PROXY_PORT = 3128;

/** What begins the lines of a run's log that tell what was refused. */
export const REFUSAL = "wavetrain: network:";

/** With further hosts; a network that is closed stays so, one that is open needs none. */
export function withHosts(network: Network, hosts: readonly string[]): Network {
  return typeof network === "string" ? network : [...network, ...hosts];
}
