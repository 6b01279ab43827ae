import { describe, expect, it } from "vitest";
import { decideApp } from "../../../src/doctor/decide/decide-app.ts";
import type { AppDetails, AppReading } from "../../../src/doctor/decide/decide-app.ts";
import type { AppFacts, HookFacts, Refusal } from "../../../src/ports/inspection.ts";
import { fail, ok } from "../../../src/shared/result.ts";
import { told } from "../told.ts";

const WANTED = {
  permissions: { metadata: "read", contents: "write", organization_projects: "write" },
  events: ["issues", "push"],
};

const APP: AppFacts = {
  slug: "wavetrain",
  owner: { login: "acme", kind: "organization" },
  permissions: WANTED.permissions,
  events: WANTED.events,
  page: "https://github.com/apps/wavetrain",
  answeredAt: 1_000_000,
};

const HOOK: HookFacts = {
  url: "https://wavetrain.example.net/api/github/webhooks",
  signed: true,
  json: true,
  checksCertificate: true,
};

const INSTALLATION = {
  id: 1,
  account: "acme",
  kind: "organization" as const,
  suspended: false,
  permissions: WANTED.permissions,
  page: "https://github.com/organizations/acme/settings/installations/1",
};

const MORE: AppDetails = {
  hook: ok(HOOK),
  deliveries: ok([{ event: "ping", status: 200 }]),
  installations: ok([INSTALLATION]),
};

const READING: AppReading = {
  appId: 7,
  apiUrl: "https://api.github.com",
  readAt: 1_000_500,
  wanted: WANTED,
  app: ok(APP),
  more: MORE,
};

function decide(reading: Partial<AppReading>): readonly string[] {
  return told(decideApp({ ...READING, ...reading })).filter((line) => !line.startsWith("ok"));
}

const withMore = (more: Partial<AppDetails>) => decide({ more: { ...MORE, ...more } });
const withApp = (app: Partial<AppFacts>) => decide({ app: ok({ ...APP, ...app }) });
const refused = (status: number, words = "Not Found"): Refusal => ({
  kind: "refused",
  status,
  words,
});

describe("decideApp", () => {
  it("has nothing against an app where all is right", () => {
    expect(decide({})).toEqual([]);
  });

  it("says what an optional permission would bring, unless it was granted", () => {
    const granted = { ...INSTALLATION, permissions: { ...WANTED.permissions, actions: "read" } };
    const optional = (installation: typeof INSTALLATION) =>
      told(decideApp({ ...READING, more: { ...MORE, installations: ok([installation]) } })).filter(
        (line) => line.includes("optional"),
      );
    expect(optional(INSTALLATION)).toEqual([
      "ok permissions: of failed checks agents hear words and annotations; the optional permission actions: read would add the log of a failed job",
    ]);
    expect(optional(granted)).toEqual([]);
    expect(optional({ ...INSTALLATION, suspended: true })).toEqual([]);
  });

  it.each<[string, Refusal]>([
    ["a key of another app", refused(401, "A JSON web token could not be decoded")],
    ["an app that is gone", refused(404, "Integration not found")],
    ["a clock that differs", refused(401, "'Issued at' claim ('iat') must be an Integer")],
    ["a silent GitHub", { kind: "silent", status: undefined, words: "ECONNREFUSED" }],
    ["a spent budget", { kind: "limited", status: 403, words: "rate limit" }],
    ["a GitHub in trouble", refused(502, "Server Error")],
  ])("tells %s", (_name, refusal) => {
    const lines = decide({ app: fail(refusal), more: undefined });
    expect(lines[1]).toMatch(/^skipped github/);
    expect(lines[0]).toMatchSnapshot();
  });

  it("warns of a clock that differs by more than a minute, either way", () => {
    expect(decide({ readAt: 1_060_000 })).toEqual([]);
    expect(decide({ readAt: 1_060_001 })[0]).toContain("1 min ahead of GitHub's");
    expect(decide({ readAt: 1_000_000 - 420_000 })[0]).toContain("7 min behind GitHub's");
    expect(withApp({ answeredAt: undefined })).toEqual([]);
  });

  it("names what the app does not ask for, and the page to add it on", () => {
    const lines = withApp({
      permissions: { metadata: "read", contents: "read" },
      events: ["push"],
    });
    expect(lines).toMatchInlineSnapshot(`
      [
        "problem permissions: the app does not ask for contents: write → add it on https://github.com/organizations/acme/settings/apps/wavetrain/permissions; every installation then has to accept it",
        "problem permissions: the app does not ask for organization_projects: write → add it on https://github.com/organizations/acme/settings/apps/wavetrain/permissions; every installation then has to accept it",
        "problem events: the app does not subscribe to issues → add it on https://github.com/organizations/acme/settings/apps/wavetrain/permissions",
      ]
    `);
    const owner = { login: "ann", kind: "user" } as const;
    expect(withApp({ events: [], owner })[0]).toContain(
      "https://github.com/settings/apps/wavetrain/permissions",
    );
  });

  it("names what an account has not accepted, but nothing that the app does not ask for", () => {
    const permissions = { metadata: "read", contents: "write" };
    const installations = ok([{ ...INSTALLATION, permissions }]);
    expect(withMore({ installations })).toEqual([
      "problem installation: acme has not accepted organization_projects: write → let its owner accept the request on https://github.com/organizations/acme/settings/installations/1",
    ]);
    const person = ok([{ ...INSTALLATION, kind: "user" as const, permissions }]);
    expect(withMore({ installations: person })).toEqual([]);
    const app = ok({ ...APP, permissions });
    const unasked = decide({ app, more: { ...MORE, installations } });
    expect(unasked).toHaveLength(1);
    expect(unasked[0]).toMatch(/^problem permissions/);
  });

  it("takes more than is wanted for enough", () => {
    const permissions = { ...WANTED.permissions, contents: "admin", members: "read" };
    expect(withApp({ permissions })).toEqual([]);
  });

  it("tells no installation, a suspended one and unreadable ones apart", () => {
    expect(withMore({ installations: ok([]) })).toMatchInlineSnapshot(`
      [
        "problem installation: the app is installed nowhere → install it: https://github.com/apps/wavetrain/installations/new",
      ]
    `);
    const suspended = ok([{ ...INSTALLATION, suspended: true }]);
    expect(withMore({ installations: suspended })[0]).toContain("acme has suspended the app");
    expect(withMore({ installations: fail(refused(500, "oops")) })[0]).toContain(
      "the installations cannot be read: GitHub answered 500, oops",
    );
  });

  it.each<[string, AppDetails["hook"]]>([
    ["no address", ok({ ...HOOK, url: undefined })],
    ["the manifest's placeholder", ok({ ...HOOK, url: "https://example.com/api/github/webhooks" })],
    ["never switched on", fail(refused(404))],
    ["unreadable", fail(refused(403, "Resource not accessible by integration"))],
    ["another path", ok({ ...HOOK, url: "https://wavetrain.example.net/" })],
    ["unsigned", ok({ ...HOOK, signed: false })],
    ["sent as a form", ok({ ...HOOK, json: false })],
    ["to anyone who says it is us", ok({ ...HOOK, checksCertificate: false })],
  ])("looks at the webhook: %s", (_name, hook) => {
    expect(withMore({ hook })).toMatchSnapshot();
  });

  it.each([
    ["none", []],
    ["a wrong secret", [400]],
    ["a wrong path", [404, 404, 200]],
    ["an unreachable server", [0, 502]],
    ["a server that was down for a while", [202, 0, 0]],
  ])("looks at the last webhooks: %s", (_name, statuses) => {
    const deliveries = ok(statuses.map((status) => ({ event: "push", status })));
    expect(withMore({ deliveries })).toMatchSnapshot();
  });

  it("goes on when deliveries cannot be listed", () => {
    expect(withMore({ deliveries: fail(refused(500, "oops")) })[0]).toMatch(/^warning deliveries/);
  });
});
