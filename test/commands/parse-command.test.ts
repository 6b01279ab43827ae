import { describe, expect, it } from "vitest";
import { parseCommand } from "../../src/commands/parse-command.ts";
import fc from "../support/fast-check.ts";

describe("parseCommand", () => {
  it.each([
    ["/retry", { kind: "retry" }],
    ["  \n\n/explain  \n\nplease", { kind: "explain" }],
    ["/Cancel", { kind: "cancel" }],
    ["/retry because the network was down", { kind: "retry" }],
    ["/priority high", { kind: "priority", level: "high" }],
    ["/priority NORMAL\r\n", { kind: "priority", level: "normal" }],
    ["<!-- hidden -->\n/help", { kind: "help" }],
  ])("reads %j", (body, command) => {
    expect(parseCommand(body)).toEqual(command);
  });

  it.each([
    "retry",
    "please /retry",
    "> /retry",
    "    /retry",
    "`/retry`",
    "thanks!\n/retry",
    "/lgtm",
    "/retryall",
    "/etc/passwd",
    "/",
    "",
    "<!-- /retry -->",
  ])("takes no command from %j", (body) => {
    expect(parseCommand(body)).toBeUndefined();
  });

  it("says what a priority can be", () => {
    expect(parseCommand("/priority urgent")?.kind).toBe("malformed");
    expect(parseCommand("/priority")?.kind).toBe("malformed");
  });

  it("survives any text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void parseCommand(`/${text}`)));
  });
});
