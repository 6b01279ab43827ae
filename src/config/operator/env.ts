import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import * as z from "zod";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { postgresUrl } from "../read/postgres-url.ts";

/** The environment may give these settings instead of the operator's file. */
export interface Overrides {
  readonly apiUrl: string | undefined;
  readonly gitUrl: string | undefined;
  readonly dataDir: string | undefined;
  /** It holds a password. */
  readonly databaseUrl: string | undefined;
  readonly host: string | undefined;
  readonly port: number | undefined;
}

/** The server is started with these settings. */
export interface ServerSettings extends Overrides {
  /** When undefined, the file is at its default place. */
  readonly configPath: string | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** When undefined, it is written for people on a terminal, and as JSON elsewhere. */
  readonly logFormat: LogFormat | undefined;
}

export type LogFormat = (typeof LOG_FORMATS)[number];

/** The app proves with these on GitHub who it is. */
export interface Identity {
  readonly appId: number;
  /** It is PEM text. */
  readonly privateKey: string;
  readonly webhookSecret: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

const url = (name: string) =>
  z.url({ protocol: /^https?$/, error: `${name} is not an http or https address` });

const BAD_PORT = { error: "PORT is not a number from 0 to 65535" };

const overrides = {
  WAVETRAIN_API_URL: url("WAVETRAIN_API_URL").optional(),
  WAVETRAIN_GIT_URL: url("WAVETRAIN_GIT_URL").optional(),
  GHE_HOST: z
    .string()
    .regex(/^[A-Za-z0-9.-]+(?::\d{1,5})?$/, {
      error: "GHE_HOST is not the name of a host, such as github.example.com",
    })
    .optional(),
  GHE_PROTOCOL: z
    .enum(["https", "http"], { error: "GHE_PROTOCOL is neither https nor http" })
    .default("https"),
  WAVETRAIN_DATA_DIR: z.string().optional(),
  DATABASE_URL: postgresUrl("DATABASE_URL is not a postgres:// address").optional(),
  HOST: z.string().optional(),
  PORT: z.coerce.number(BAD_PORT).int(BAD_PORT).min(0, BAD_PORT).max(65_535, BAD_PORT).optional(),
};

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** Probot knows them by the same words. */
export const LOG_FORMATS = ["pretty", "json"] as const;

const settingVariables = z.object({
  ...overrides,
  WAVETRAIN_CONFIG: z.string().optional(),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `LOG_LEVEL is not one of ${LOG_LEVELS.join(", ")}` })
    .default("info"),
  LOG_FORMAT: z
    .enum(LOG_FORMATS, { error: `LOG_FORMAT is not one of ${LOG_FORMATS.join(", ")}` })
    .optional(),
});

const identityVariables = z.object({
  APP_ID: z
    .string({ error: "APP_ID is not set: it is the number on the app's settings page" })
    .regex(/^[1-9]\d{0,14}$/, { error: "APP_ID is not a number: it is on the app's settings page" })
    .transform(Number),
  WEBHOOK_SECRET: z
    .string({ error: "WEBHOOK_SECRET is not set: without it anyone could send webhooks" })
    .refine((secret) => secret !== "development", {
      error: "WEBHOOK_SECRET is the well-known word development: choose a random one",
    }),
  PRIVATE_KEY: z
    .string({ error: "PRIVATE_KEY is not set: PEM text, its base64, or the path of its file" })
    .transform((value, context) => {
      const key = readPrivateKey(value);
      if (key.ok) return key.value;
      context.addIssue({ code: "custom", message: `PRIVATE_KEY ${key.error}` });
      return z.NEVER;
    }),
});

/** Commands that read the operator's file alone pass this. */
export const NO_OVERRIDES: Overrides = {
  apiUrl: undefined,
  gitUrl: undefined,
  dataDir: undefined,
  databaseUrl: undefined,
  host: undefined,
  port: undefined,
};

const PEM_START = "-----BEGIN";

/** Reads the server's settings, or returns one line for each that is unusable; no line repeats a secret. */
export function readSettings(
  env: Variables = process.env,
): Result<ServerSettings, readonly string[]> {
  const read = settingVariables.safeParse(withoutBlanks(env));
  if (!read.success) return fail(read.error.issues.map(({ message }) => message));
  const { WAVETRAIN_CONFIG: configPath, LOG_LEVEL: logLevel, LOG_FORMAT: logFormat } = read.data;
  return ok({ ...overridesFrom(read.data), configPath, logLevel, logFormat });
}

/** The saved app counts only when the environment names nothing: half of one app and half of another would be of no use. */
export function readIdentity(
  env: Variables,
  saved?: Identity,
): Result<Identity, readonly string[]> {
  const { APP_ID, PRIVATE_KEY, PRIVATE_KEY_PATH, WEBHOOK_SECRET } = withoutBlanks(env);
  const given = { APP_ID, PRIVATE_KEY: PRIVATE_KEY ?? PRIVATE_KEY_PATH, WEBHOOK_SECRET };
  const isSilent = Object.values(given).every((value) => value === undefined);
  if (saved !== undefined && isSilent) return ok(saved);
  const read = identityVariables.safeParse(given);
  if (!read.success) return fail(read.error.issues.map(({ message }) => message));
  const { APP_ID: appId, PRIVATE_KEY: privateKey, WEBHOOK_SECRET: webhookSecret } = read.data;
  return ok({ appId, privateKey, webhookSecret });
}

/** Returns where the API of the enterprise server is that Probot's variables name; undefined when they name none. */
export function enterpriseApi(env: Variables): string | undefined {
  const read = z.object(overrides).safeParse(withoutBlanks(env));
  return read.success ? siteOf(read.data, "/api/v3") : undefined;
}

function siteOf(
  {
    GHE_HOST: host,
    GHE_PROTOCOL: protocol,
  }: { GHE_HOST?: string | undefined; GHE_PROTOCOL: string },
  path: string,
): string | undefined {
  return host === undefined ? undefined : `${protocol}://${host}${path}`;
}

function overridesFrom(read: z.infer<typeof settingVariables>): Overrides {
  return {
    apiUrl: read.WAVETRAIN_API_URL ?? siteOf(read, "/api/v3"),
    gitUrl: read.WAVETRAIN_GIT_URL ?? siteOf(read, ""),
    dataDir: read.WAVETRAIN_DATA_DIR,
    databaseUrl: read.DATABASE_URL,
    host: read.HOST,
    port: read.PORT,
  };
}

function withoutBlanks(env: Variables): Variables {
  const set = Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== "");
  return Object.fromEntries(set);
}

/** Returns the whole environment, for callers that pass an allow-listed part of it on. */
export function readVariables(): Variables {
  return process.env;
}

/** Reads the app's key as PEM text; it is given as that text, as its base64, or as the path of its file. No message repeats the value. */
function readPrivateKey(value: string): Result<string, string> {
  const pem = pemFrom(value);
  if (pem === undefined)
    return fail("is neither a PEM text, nor its base64, nor the path of a readable file");
  return isUsable(pem) ? ok(pem) : fail("is not an RSA private key without a passphrase");
}

function pemFrom(value: string): string | undefined {
  // Many a dashboard for variables turns line breaks into the two characters \n.
  const text = value.replaceAll("\\n", "\n").trim();
  if (text.startsWith(PEM_START)) return text;
  const decoded = Buffer.from(text, "base64").toString("utf8").trim();
  return decoded.startsWith(PEM_START) ? decoded : pemFile(value);
}

function pemFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    // The operator needs no reason: the file cannot be read.
    return undefined;
  }
}

function isUsable(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    // The library throws for anything that is no key, and for a key with a passphrase.
    return false;
  }
}
