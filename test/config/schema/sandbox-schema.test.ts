import { describe, expect, it } from "vitest";
import { NO_OVERRIDES } from "../../../src/config/operator/env.ts";
import { readOperatorConfig } from "../../../src/config/operator/read-operator-config.ts";
import { problemLine } from "../../../src/config/read/config-problem.ts";

function problemsOf(text: string): readonly string[] {
  const read = readOperatorConfig({ text, file: "w.yml" }, NO_OVERRIDES);
  return read.ok ? [] : read.error.map(problemLine);
}

const runner = (network: string, more = ""): string =>
  `runners:\n  a:\n    command: a\n    network: ${network}\n${more}`;

describe("network", () => {
  it.each([
    runner("open"),
    runner("none"),
    runner("[]"),
    runner('[example.com, "*.example.com:8443", 10.0.0.0/8, "[::1]:3000"]'),
    `${runner("open")}network: { setup: none, train: [example.com] }`,
    `${runner("open")}sandbox: none`,
  ])("takes %j", (text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  it.each([
    [runner("closed"), "w.yml:4:14: runners.a.network: expected open, none, or a list of hosts"],
    [runner("[https://a.com/]"), "expected a host such as example.com"],
    [runner("[bücher.example]"), "expected a host such as example.com"],
    [
      `${runner("none")}sandbox: none`,
      "w.yml:4:14: runners.a.network: expected open: without a sandbox nothing keeps a command off the network",
    ],
    [
      `${runner("[a.example]")}sandbox: none`,
      "runners.a.network: expected open: without a sandbox",
    ],
    [
      `${runner("open")}network: { setup: none }\nsandbox: none`,
      "network.setup: expected open: without a sandbox",
    ],
    [
      `${runner("none")}sandbox: container\ncontainer: { image: i, args: [--init, --network=host] }`,
      "goes with networks that are all open",
    ],
    [
      runner("[a.example]", "    env: [NODE_OPTIONS]\n"),
      "goes with `network: open` or `none` only",
    ],
  ])("refuses %j", (text, message) => {
    expect(problemsOf(text).join("\n")).toContain(message);
  });
});

describe("home", () => {
  it("may be the user's for a command without a sandbox", () => {
    expect(problemsOf(`${runner("open")}sandbox: none\nhome: user`)).toEqual([]);
  });

  it.each([
    [`${runner("open")}home: user`, "home: expected own: `user` goes with `sandbox: none` only"],
    [
      "runners: { a: { preset: claude } }\nsandbox: none\nhome: user",
      "home: expected own: a preset has a HOME of its own",
    ],
  ])("refuses %j", (text, message) => {
    expect(problemsOf(text).join("\n")).toContain(message);
  });
});
