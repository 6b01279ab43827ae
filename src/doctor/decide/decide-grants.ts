import type { Answer, AppFacts, Granted, InstallationFacts } from "../../ports/inspection.ts";
import { reporterOf } from "./finding.ts";
import type { Finding } from "./finding.ts";
import { refusalFix, refusalWords } from "./refusal-words.ts";

/** The app's manifest asks for these. */
export interface WantedGrants {
  readonly permissions: Granted;
  readonly events: readonly string[];
}

const LEVELS = ["read", "write", "admin"];

interface GrantReading {
  readonly app: AppFacts;
  readonly installations: Answer<readonly InstallationFacts[]>;
  readonly wanted: WantedGrants;
  readonly settings: string;
}

/** Compares what the app may do with what its manifest asks for, and says where it is installed. */
export function decideGrants(reading: GrantReading): readonly Finding[] {
  const { app, installations, wanted, settings } = reading;
  const place = `${settings}/permissions`;
  const findings = [
    ...lackingPermissions(app.permissions, wanted.permissions).map((permission) =>
      reporterOf({ check: "permissions" }).problem(
        `the app does not ask for ${permission}`,
        `add it on ${place}; every installation then has to accept it`,
      ),
    ),
    ...lackingEvents(app.events, wanted.events).map((event) =>
      reporterOf({ check: "events" }).problem(
        `the app does not subscribe to ${event}`,
        `add it on ${place}`,
      ),
    ),
  ];
  const complete = reporterOf({ check: "permissions" }).ok(
    "the app asks for what app.yml lists: permissions and events",
  );
  return [
    ...(findings.length === 0 ? [complete] : findings),
    ...installationFindings(installations, reading),
  ];
}

function lackingPermissions(granted: Granted, wanted: Granted): readonly string[] {
  return Object.entries(wanted)
    .filter(([name, level]) => LEVELS.indexOf(granted[name] ?? "") < LEVELS.indexOf(level))
    .map(([name, level]) => `${name}: ${level}`);
}

function lackingEvents(have: readonly string[], wanted: readonly string[]): readonly string[] {
  return wanted.filter((event) => !have.includes(event));
}

function installationFindings(
  installations: GrantReading["installations"],
  { app, wanted }: GrantReading,
): readonly Finding[] {
  const say = reporterOf({ check: "installation" });
  if (!installations.ok) {
    const message = `the installations cannot be read: ${refusalWords(installations.error)}`;
    return [say.problem(message, refusalFix(installations.error))];
  }
  if (installations.value.length === 0) {
    return [
      say.problem("the app is installed nowhere", `install it: ${app.page}/installations/new`),
    ];
  }
  return installations.value.flatMap((one) => [
    installationFinding(one, app, wanted),
    ...optionalFindings(one),
  ]);
}

/** Permissions that are not asked for are no problem when they are absent, but people should know what they would bring. */
function optionalFindings({
  account,
  suspended,
  permissions,
}: InstallationFacts): readonly Finding[] {
  if (suspended || permissions["actions"] !== undefined) return [];
  const say = reporterOf({ check: "permissions", about: account });
  return [
    say.ok(
      "of failed checks agents hear words and annotations; the optional permission actions: read would add the log of a failed job",
    ),
  ];
}

/** Only permissions that the app asks for can be accepted; those that it does not ask for were reported before. */
function installationFinding(
  { account, kind, suspended, permissions, page }: InstallationFacts,
  app: AppFacts,
  wanted: WantedGrants,
): Finding {
  const say = reporterOf({ check: "installation", about: account });
  if (suspended) {
    return say.problem(`${account} has suspended the app`, `let its owner unsuspend it on ${page}`);
  }
  const asked = Object.entries(wanted.permissions).filter(
    ([name]) => name in app.permissions && !(kind === "user" && name.startsWith("organization_")),
  );
  const lacking = lackingPermissions(permissions, Object.fromEntries(asked));
  if (lacking.length === 0) return say.ok(`installed on ${account}, with all permissions`);
  return say.problem(
    `${account} has not accepted ${lacking.join(", ")}`,
    `let its owner accept the request on ${page}`,
  );
}
