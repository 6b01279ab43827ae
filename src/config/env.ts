import * as z from "zod";
import type { Result } from "../shared/result.ts";
import { fail, ok } from "../shared/result.ts";
import { postgresUrl } from "./postgres-url.ts";
import { readPrivateKey } from "./private-key.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const url = (name: string) =>
  z.url({ protocol: /^https?$/, error: `${name} is not an http or https address` });

const BAD_PORT = { error: "PORT is not a number from 0 to 65535" };

const overrides = {
  WAVETRAIN_API_URL: url("WAVETRAIN_API_URL").optional(),
  WAVETRAIN_GIT_URL: url("WAVETRAIN_GIT_URL").optional(),
  WAVETRAIN_DATA_DIR: z.string().optional(),
  DATABASE_URL: postgresUrl("DATABASE_URL is not a postgres:// address").optional(),
  HOST: z.string().optional(),
  PORT: z.coerce.number(BAD_PORT).int(BAD_PORT).min(0, BAD_PORT).max(65_535, BAD_PORT).optional(),
};

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const settingVariables = z.object({
  ...overrides,
  WAVETRAIN_CONFIG: z.string().optional(),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `LOG_LEVEL is not one of ${LOG_LEVELS.join(", ")}` })
    .default("info"),
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

/** Settings that the environment may give instead of the operator's file. */
export interface Overrides {
  readonly apiUrl: string | undefined;
  readonly gitUrl: string | undefined;
  readonly dataDir: string | undefined;
  /** Holds a password. */
  readonly databaseUrl: string | undefined;
  readonly host: string | undefined;
  readonly port: number | undefined;
}

/** For who reads the operator's file alone. */
export const NO_OVERRIDES: Overrides = {
  ...{ apiUrl: undefined, gitUrl: undefined, dataDir: undefined },
  ...{ databaseUrl: undefined, host: undefined, port: undefined },
};

/** How the server is to be started. */
export interface ServerSettings extends Overrides {
  /** Undefined: the default place. */
  readonly configPath: string | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** What the app needs to be itself on GitHub. */
export interface Identity {
  readonly appId: number;
  /** PEM text. */
  readonly privateKey: string;
  readonly webhookSecret: string;
}

/** The server's settings, or one line for each that is unusable; no line repeats a secret. */
export function readSettings(
  env: Variables = process.env,
): Result<ServerSettings, readonly string[]> {
  const read = settingVariables.safeParse(withoutBlanks(env));
  if (!read.success) return fail(read.error.issues.map(({ message }) => message));
  const { WAVETRAIN_CONFIG: configPath, LOG_LEVEL: logLevel } = read.data;
  return ok({ ...overridesFrom(read.data), configPath, logLevel });
}

/** Half of one app and half of another would be of no use: what was saved counts only when the environment names nothing. */
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

function overridesFrom(read: z.infer<typeof settingVariables>): Overrides {
  return {
    apiUrl: read.WAVETRAIN_API_URL,
    gitUrl: read.WAVETRAIN_GIT_URL,
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

/** The whole environment, for those who pass an allow-listed part of it on. */
export function readVariables(): Variables {
  return process.env;
}
