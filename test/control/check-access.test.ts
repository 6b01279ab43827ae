import { describe, expect, it } from "vitest";
import { refusalOf } from "../../src/control/check-access.ts";
import type { AccessRules, Asker } from "../../src/control/check-access.ts";

const RULES: AccessRules = { token: "secret", remote: false, hosts: ["10.0.0.5", "Train.example"] };
const ASKER: Asker = {
  address: "127.0.0.1",
  localAddress: "127.0.0.1",
  host: "localhost:3000",
  authorization: "Bearer secret",
};

function statusFor(asker: Partial<Asker>, rules: Partial<AccessRules> = {}): number | undefined {
  return refusalOf({ ...ASKER, ...asker }, { ...RULES, ...rules })?.status;
}

describe("refusalOf", () => {
  it.each([
    { host: "localhost:3000" },
    { host: "127.0.0.1:3000" },
    { host: "[::1]:3000", address: "::1" },
    { host: "LOCALHOST" },
    { host: "train.example:443" },
    { address: "::ffff:127.0.0.1" },
    { address: "10.0.0.5", localAddress: "10.0.0.5", host: "10.0.0.5:3000" },
  ])("lets in %j with the token", (asker) => {
    expect(statusFor(asker)).toBeUndefined();
  });

  it.each([
    undefined,
    "",
    "Bearer",
    "Bearer ",
    "Bearer secre",
    "Bearer secret2",
    "secret",
    "Basic secret",
  ])("asks for the token when %j is sent", (authorization) => {
    expect(statusFor({ authorization })).toBe(401);
  });

  it("turns other machines away unless the operator lets them in", () => {
    const asker = { address: "10.0.0.9", localAddress: "10.0.0.5" };
    expect(statusFor(asker)).toBe(403);
    expect(statusFor(asker, { remote: true })).toBeUndefined();
    expect(statusFor({ ...asker, authorization: undefined }, { remote: true })).toBe(401);
    expect(statusFor({ address: undefined })).toBe(403);
  });

  it.each([
    "evil.example",
    "evil.example:3000",
    undefined,
    "",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
  ])("turns away a page that reaches this machine as %j", (host) => {
    expect(statusFor({ host })).toBe(403);
  });
});
