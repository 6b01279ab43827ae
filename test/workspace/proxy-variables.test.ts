import { describe, expect, it } from "vitest";
import { proxyVariables } from "../../src/workspace/proxy-variables.ts";

describe("proxyVariables", () => {
  it.each(["open", "none"] as const)("are none where the network is %s", (network) => {
    expect(proxyVariables(network)).toEqual({});
  });

  it("name the proxy in every way that programs look for it", () => {
    const variables = proxyVariables(["example.com"]);
    for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]) {
      expect(variables[name]).toBe("http://127.0.0.1:3128");
      expect(variables[name.toLowerCase()]).toBe(variables[name]);
    }
    expect(variables["no_proxy"]).toBe(variables["NO_PROXY"]);
    expect(variables["NODE_USE_ENV_PROXY"]).toBe("1");
  });

  it.each([
    [["example.com"], "localhost,127.0.0.1,::1"],
    [["127.0.0.1:11434"], "localhost,::1"],
    [["localhost:8080", "[::1]:8080"], "127.0.0.1"],
    [["127.0.0.10", "localhost.example"], "localhost,127.0.0.1,::1"],
  ])("with %j leave %s to the sandbox itself", (network, direct) => {
    expect(proxyVariables(network)["NO_PROXY"]).toBe(direct);
  });
});
