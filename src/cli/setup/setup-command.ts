import { randomBytes } from "node:crypto";
import { access } from "node:fs/promises";
import { Command } from "commander";
import { readIdentity, readSettings, readVariables } from "../../config/operator/env.ts";
import type { ServerSettings } from "../../config/operator/env.ts";
import { OPERATOR_CONFIG_PATH } from "../../config/operator/read-operator-config.ts";
import { readSavedApp, saveApp, savedAppFile } from "../../config/operator/saved-app.ts";
import type { SavedApp } from "../../config/operator/saved-app.ts";
import { refusalWords } from "../../doctor/decide/refusal-words.ts";
import { AppError } from "../../shared/app-error.ts";
import { quote } from "../../shared/quote.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { readOperatorFile } from "../doctor/read-operator-file.ts";
import { startManifestFlow, renderFormPage } from "./manifest-flow.ts";
import type { ManifestFlow } from "./manifest-flow.ts";
import { manifestFor, newAppUrl, readManifest } from "./manifest.ts";
import type { Manifest } from "./manifest.ts";

interface SetupOptions {
  readonly org?: string;
  readonly url?: string;
  readonly name?: string;
  readonly config?: string;
  readonly host: string;
  readonly port?: string;
}

const USAGE = { exitCode: 2 };
const FAILED = { exitCode: 1 };

const HELP = `
Serves a page with one button on this machine. The button sends app.yml to GitHub, which asks you to confirm and makes the
app with exactly those permissions and events. Its number, key and webhook secret are kept in the data folder, readable by
your user alone, and \`wavetrain start\` finds them there. Nothing is served any more once that is done.

The app can be installed only on the account that owns it: give --org unless it shall work on your own repositories.
On another machine, forward the port first: ssh -L 3000:127.0.0.1:3000 HOST

Exit code: 0 when the app is made, 1 when it could not be, 2 for wrong options or when there is one already.

Examples:
  wavetrain setup --org acme --url https://wavetrain.acme.example
  wavetrain setup                # of your own account, without webhooks`;

const DEFAULTS = {
  dataDir: ".wavetrain",
  apiUrl: "https://api.github.com",
  site: "https://github.com",
  port: 3000,
};

export function setupCommand(): Command {
  return new Command("setup")
    .description("make the GitHub App from app.yml, with one click in a browser")
    .option("--org <login>", "organization that shall own the app; else your own account")
    .option("--url <address>", "where GitHub reaches the server, for webhooks; else they are off")
    .option("--name <name>", "name of the app; names are unique on all of GitHub")
    .option("--config <file>", `operator's file (default: ${OPERATOR_CONFIG_PATH})`)
    .option("--host <address>", "address to serve the page on", "127.0.0.1")
    .option("--port <number>", "port to serve the page on (default: the server's)")
    .addHelpText("after", HELP)
    .action(async (options: SetupOptions, command: Command) => {
      const wrong = whatIsWrong(options);
      if (wrong !== undefined) return command.error(`error: ${wrong}`, USAGE);
      const settings = readSettings();
      if (!settings.ok) return command.error(`error: ${settings.error.join("\nerror: ")}`, USAGE);
      const place = await readSetupPlace(options, settings.value);
      if (!place.ok) return command.error(`error: ${place.error}`, USAGE);
      await refuseSecond(place.value, command);
      await makeApp(options, place.value, command);
    });
}

/** Says in a sentence which option is wrong; undefined when none is. */
export function whatIsWrong({ org, url, port, name }: SetupOptions): string | undefined {
  if (org !== undefined && !/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(org)) {
    return `--org ${quote(org)} is not the login of an organization`;
  }
  if (url !== undefined && !(/^https?:\/\//.test(url) && URL.canParse(url))) {
    return `--url ${quote(url)} is not an http or https address`;
  }
  if (port !== undefined && !/^\d{1,5}$/.test(port)) return `--port ${quote(port)} is not a number`;
  if (name?.trim() === "") return "--name is empty";
  return undefined;
}

async function refuseSecond({ dataDir }: SetupPlace, command: Command): Promise<void> {
  const saved = await readSavedApp(dataDir);
  if (!saved.ok) command.error(`error: ${saved.error}; move it away`, USAGE);
  else if (saved.value !== undefined) {
    const file = savedAppFile(dataDir);
    const words = `${file} holds the app ${saved.value.slug}: move it away to make another`;
    command.error(`error: ${words}`, USAGE);
  }
}

async function makeApp(options: SetupOptions, place: SetupPlace, command: Command): Promise<void> {
  const base = await readManifest();
  try {
    const flow = await startManifestFlow<SavedApp>({
      host: options.host,
      port: place.port,
      form: (redirectUrl, state) => formPage(base, { ...options, redirectUrl, state, place }),
      accept: (code) => keepApp(code, place),
    });
    await waitFor(flow, place);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    command.error(`error: ${error.message}`, FAILED);
  }
}

interface FormWishes extends SetupOptions {
  readonly redirectUrl: string;
  readonly state: string;
  readonly place: SetupPlace;
}

function formPage(base: Manifest, wishes: FormWishes): string {
  const { org, name, url: publicUrl, redirectUrl, state, place } = wishes;
  const manifest = manifestFor(base, { org, name, publicUrl, redirectUrl });
  return renderFormPage(manifest, newAppUrl(place.site, org, state));
}

async function keepApp(code: string, { apiUrl, dataDir }: SetupPlace) {
  const { convertManifest } = await import("../../adapters/github/inspection/setup-writer.ts");
  const made = await convertManifest(apiUrl, code);
  if (!made.ok) {
    const why = `GitHub did not hand the app over: ${refusalWords(made.error)}.`;
    return fail(`${why} A code is good once and for an hour: begin again at the first page.`);
  }
  const { webhookSecret = randomBytes(32).toString("hex"), ...rest } = made.value;
  const app = { ...rest, webhookSecret };
  await saveApp(dataDir, app);
  return ok({ next: `${app.page}/installations/new`, made: app });
}

async function waitFor(flow: ManifestFlow<SavedApp>, { dataDir }: SetupPlace): Promise<void> {
  console.error(`open ${flow.url}`);
  const app = await flow.made;
  await flow.close();
  const isHidden = readIdentity(readVariables()).ok;
  const lines = [
    `made the app ${app.slug} (${app.appId}): ${app.page}`,
    `its key and webhook secret are in ${savedAppFile(dataDir)}`,
    `install it, if GitHub has not asked you yet: ${app.page}/installations/new`,
    ...(isHidden ? ["APP_ID and the like are set and count more: unset them to use this app"] : []),
    "then: wavetrain doctor",
  ];
  console.log(lines.join("\n"));
}

/** It says where the app is made and kept. */
interface SetupPlace {
  readonly dataDir: string;
  readonly apiUrl: string;
  /** This is the address of GitHub's web pages. */
  readonly site: string;
  readonly port: number;
}

/** Finds the place as the server does; the operator's file need not be there yet. */
async function readSetupPlace(
  options: { readonly config?: string; readonly port?: string },
  settings: ServerSettings,
): Promise<Result<SetupPlace, string>> {
  const file = options.config ?? settings.configPath ?? OPERATOR_CONFIG_PATH;
  const chosen = options.port === undefined ? {} : { port: Number(options.port) };
  if (options.config === undefined && !(await exists(file))) {
    return ok({ ...DEFAULTS, ...given(settings), ...chosen });
  }
  const read = await readOperatorFile(file, settings);
  if (!read.ok) return fail(read.error.join("\n"));
  const { dataDir, github, server } = read.value;
  const place = { dataDir, apiUrl: github.apiUrl, site: github.gitUrl, port: server.port };
  return ok({ ...place, ...chosen });
}

function given({ dataDir, apiUrl, gitUrl: site, port }: ServerSettings): Partial<SetupPlace> {
  const wanted = Object.entries({ dataDir, apiUrl, site, port });
  return Object.fromEntries(wanted.filter(([, value]) => value !== undefined));
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
