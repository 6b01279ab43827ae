import type {
  AppFacts,
  Refusal,
  Answer,
  DeliveryFact,
  HookFacts,
  InstallationFacts,
} from "../../ports/inspection.ts";
import { decideGrants } from "./decide-grants.ts";
import type { WantedGrants } from "./decide-grants.ts";
import { decideHook } from "./decide-hook.ts";
import { reporterOf } from "./finding.ts";
import type { Finding } from "./finding.ts";
import { refusalFix, refusalWords } from "./refusal-words.ts";

/** This is the app as GitHub knows it. */
export interface AppReading {
  readonly appId: number;
  readonly apiUrl: string;
  readonly readAt: number;
  readonly wanted: WantedGrants;
  readonly app: Answer<AppFacts>;
  /** It is undefined when the app itself could not be read. */
  readonly more: AppDetails | undefined;
}

export interface AppDetails {
  readonly hook: Answer<HookFacts>;
  readonly deliveries: Answer<readonly DeliveryFact[]>;
  readonly installations: Answer<readonly InstallationFacts[]>;
}

/** GitHub tolerates a difference of a minute between the clocks. */
const MAX_CLOCK_SKEW_MS = 60_000;

/** Decides what to report about the app itself. */
export function decideApp(reading: AppReading): readonly Finding[] {
  const { app, more } = reading;
  if (!app.ok) return [refusedApp(reading, app.error), restSkipped()];
  return [
    reporterOf({ check: "app" }).ok(
      `app ${reading.appId} is ${app.value.slug}${ofOwner(app.value)}`,
    ),
    ...clockFindings(app.value, reading.readAt),
    ...(more === undefined ? [restSkipped()] : detailFindings(app.value, more, reading)),
  ];
}

function ofOwner({ owner }: AppFacts): string {
  return owner === undefined ? "" : ` of ${owner.login}`;
}

function restSkipped(): Finding {
  const what = "webhook, permissions, installations and repositories";
  return reporterOf({ check: "github" }).skipped(`${what}: once GitHub knows the app`);
}

const CLOCK_CLAIM = /claim \('(?:exp|iat)'\)/;

function refusedApp({ appId, apiUrl }: AppReading, refusal: Refusal): Finding {
  const say = reporterOf({ check: "app" });
  if (refusal.kind === "silent") {
    return say.problem(`${apiUrl} did not answer: ${refusal.words}`, refusalFix(refusal));
  }
  if (CLOCK_CLAIM.test(refusal.words)) {
    return say.problem(
      `GitHub takes the app's signature for outdated: ${refusal.words}`,
      "set this machine's clock, best by NTP",
    );
  }
  if (refusal.status === 401) {
    return say.problem(
      `GitHub does not accept the key for app ${appId}`,
      "APP_ID and PRIVATE_KEY must be of one app: generate a new key on its settings page",
    );
  }
  if (refusal.status === 404) {
    return say.problem(
      `GitHub knows no app ${appId}`,
      "APP_ID is the number on the app's settings page; `wavetrain setup` makes a new app",
    );
  }
  return say.problem(`the app cannot be read: ${refusalWords(refusal)}`, refusalFix(refusal));
}

function clockFindings({ answeredAt }: AppFacts, readAt: number): readonly Finding[] {
  if (answeredAt === undefined) return [];
  const skew = readAt - answeredAt;
  if (Math.abs(skew) <= MAX_CLOCK_SKEW_MS) return [];
  const minutes = Math.max(1, Math.round(Math.abs(skew) / 60_000));
  const where = skew > 0 ? "ahead of" : "behind";
  return [
    reporterOf({ check: "clock" }).warning(
      `this machine's clock is ${minutes} min ${where} GitHub's`,
      "set it, best by NTP: signatures and waits depend on it",
    ),
  ];
}

function detailFindings(
  app: AppFacts,
  { hook, deliveries, installations }: AppDetails,
  { wanted }: AppReading,
): readonly Finding[] {
  const settings = settingsPage(app);
  return [
    ...decideHook({ hook, deliveries, settings }),
    ...decideGrants({ app, installations, wanted, settings }),
  ];
}

/** Returns the page on which the app's owner changes its settings. */
function settingsPage({ page, owner, slug }: AppFacts): string {
  const [site] = page.split("/apps/");
  const place = owner?.kind === "organization" ? `organizations/${owner.login}/` : "";
  return `${site ?? ""}/${place}settings/apps/${slug}`;
}
