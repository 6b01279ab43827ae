import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readIdentity, readSettings } from "../../../src/config/operator/env.ts";

const folder = mkdtempSync(join(tmpdir(), "wavetrain-env-"));
afterAll(() => rmSync(folder, { recursive: true }));

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const PEM = rsa.export({ type: "pkcs1", format: "pem" }).toString().trim();
const keyFile = join(folder, "key.pem");
writeFileSync(keyFile, `${PEM}\n`);

const GOOD = { APP_ID: "12", PRIVATE_KEY: PEM, WEBHOOK_SECRET: "s3cret" };

function problems(env: Record<string, string | undefined>): readonly string[] {
  return [readSettings(env), readIdentity(env)].flatMap((read) => (read.ok ? [] : read.error));
}

describe("the environment", () => {
  it("reads every variable", () => {
    const env = {
      ...GOOD,
      WAVETRAIN_CONFIG: "/etc/wavetrain.yml",
      WAVETRAIN_API_URL: "https://github.example.com/api/v3",
      WAVETRAIN_GIT_URL: "https://github.example.com",
      WAVETRAIN_DATA_DIR: "/var/lib/wavetrain",
      DATABASE_URL: "postgres://ada:pw@db.example.com/wavetrain",
      HOST: "0.0.0.0",
      PORT: "8080",
      LOG_LEVEL: "debug",
    };
    expect(readIdentity(env)).toEqual({
      ok: true,
      value: { appId: 12, privateKey: PEM, webhookSecret: "s3cret" },
    });
    expect(readSettings(env)).toEqual({
      ok: true,
      value: {
        configPath: "/etc/wavetrain.yml",
        apiUrl: "https://github.example.com/api/v3",
        gitUrl: "https://github.example.com",
        dataDir: "/var/lib/wavetrain",
        databaseUrl: "postgres://ada:pw@db.example.com/wavetrain",
        host: "0.0.0.0",
        port: 8080,
        logLevel: "debug",
        logFormat: undefined,
      },
    });
  });

  it("finds an enterprise server by the name that Probot knows it by, unless addresses are given", () => {
    const read = (env: Record<string, string>) => {
      const { value } = readSettings(env) as { value?: { apiUrl?: string; gitUrl?: string } };
      return [value?.apiUrl, value?.gitUrl];
    };
    const GHE_HOST = "github.example.com";
    expect(read({ GHE_HOST })).toEqual([`https://${GHE_HOST}/api/v3`, `https://${GHE_HOST}`]);
    expect(read({ GHE_HOST: "127.0.0.1:4000", GHE_PROTOCOL: "http" })).toEqual([
      "http://127.0.0.1:4000/api/v3",
      "http://127.0.0.1:4000",
    ]);
    const WAVETRAIN_API_URL = "https://api.example.ghe.com";
    expect(read({ GHE_HOST, WAVETRAIN_API_URL })[0]).toBe(WAVETRAIN_API_URL);
    expect(read({})).toEqual([undefined, undefined]);
  });

  it.each([
    ["PEM text", { PRIVATE_KEY: PEM }],
    ["PEM text with spelled-out line breaks", { PRIVATE_KEY: PEM.replaceAll("\n", "\\n") }],
    ["base64", { PRIVATE_KEY: Buffer.from(PEM).toString("base64") }],
    ["a path", { PRIVATE_KEY: keyFile }],
    ["a path in its own variable", { PRIVATE_KEY: "", PRIVATE_KEY_PATH: keyFile }],
  ])("takes the key as %s", (_name, key) => {
    const read = readIdentity({ ...GOOD, ...key });
    expect(read.ok && read.value.privateKey).toBe(PEM);
  });

  it("names everything that is missing at once, blank or not set", () => {
    expect(problems({ WEBHOOK_SECRET: " " })).toMatchInlineSnapshot(`
      [
        "APP_ID is not set: it is the number on the app's settings page",
        "WEBHOOK_SECRET is not set: without it anyone could send webhooks",
        "PRIVATE_KEY is not set: PEM text, its base64, or the path of its file",
      ]
    `);
  });

  it.each([
    [{ APP_ID: "my-app" }, "APP_ID is not a number"],
    [{ WEBHOOK_SECRET: "development" }, "WEBHOOK_SECRET is the well-known word"],
    [{ PORT: "http" }, "PORT is not a number"],
    [{ PORT: "65536" }, "PORT is not a number"],
    [{ GHE_HOST: "https://github.example.com" }, "GHE_HOST is not the name of a host"],
    [{ GHE_PROTOCOL: "ftp" }, "GHE_PROTOCOL is neither https nor http"],
    [{ LOG_FORMAT: "xml" }, "LOG_FORMAT is not one of pretty, json"],
    [{ LOG_LEVEL: "loud" }, "LOG_LEVEL is not one of"],
    [{ WAVETRAIN_API_URL: "github.example.com" }, "WAVETRAIN_API_URL is not an http"],
    [{ DATABASE_URL: "mysql://ada:pw@db.example.com/wavetrain" }, "DATABASE_URL is not a postgres"],
    [{ PRIVATE_KEY: "/nowhere/key.pem" }, "PRIVATE_KEY is neither"],
    [{ PRIVATE_KEY: folder }, "PRIVATE_KEY is neither"],
    [{ PRIVATE_KEY: "-----BEGIN RSA PRIVATE KEY-----\nxx" }, "PRIVATE_KEY is not an RSA"],
  ])("refuses %j", (env, problem) => {
    expect(problems({ ...GOOD, ...env })).toEqual([expect.stringContaining(problem)]);
  });

  it("refuses a key that cannot sign for an app", () => {
    const { privateKey } = generateKeyPairSync("ed25519");
    const PRIVATE_KEY = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const locked = rsa.export({
      type: "pkcs8",
      format: "pem",
      cipher: "aes-256-cbc",
      passphrase: "x",
    });
    expect(problems({ ...GOOD, PRIVATE_KEY })).toHaveLength(1);
    expect(problems({ ...GOOD, PRIVATE_KEY: locked.toString() })).toHaveLength(1);
  });

  it("uses the saved app only when it names nothing of another", () => {
    const saved = { appId: 7, privateKey: "saved", webhookSecret: "saved" };
    expect(readIdentity({ APP_ID: " " }, saved)).toEqual({ ok: true, value: saved });
    expect(readIdentity(GOOD, saved)).toMatchObject({ value: { appId: 12 } });
    const half = readIdentity({ APP_ID: "12" }, saved);
    expect(half.ok ? [] : half.error).toHaveLength(2);
  });

  it("never repeats a secret", () => {
    const said = problems({
      APP_ID: "x",
      PRIVATE_KEY: "c2VjcmV0LWtleQ",
      WEBHOOK_SECRET: "development",
      DATABASE_URL: "postgres//ada:c2VjcmV0LWtleQ@db",
    });
    expect(said).toHaveLength(4);
    expect(said.join()).not.toContain("c2VjcmV0LWtleQ");
  });
});
