import type { Answer, DeliveryFact, HookFacts } from "../../ports/inspection.ts";
import { reporterOf } from "./finding.ts";
import type { Finding } from "./finding.ts";
import { refusalFix, refusalWords } from "./refusal-words.ts";

/** The app receives webhooks under this path. */
const PATH = "/api/github/webhooks";

interface HookReading {
  readonly hook: Answer<HookFacts>;
  readonly deliveries: Answer<readonly DeliveryFact[]>;
  /** This is the app's settings page. */
  readonly settings: string;
}

/** Decides whether webhooks are sent here, and arrive. */
export function decideHook({ hook, deliveries, settings }: HookReading): readonly Finding[] {
  const say = reporterOf({ check: "webhook" });
  if (!hook.ok) {
    // GitHub answers 404 for an app whose webhook was never switched on.
    if (hook.error.status === 404) return [noAddress(settings)];
    const message = `the webhook's settings cannot be read: ${refusalWords(hook.error)}`;
    return [say.problem(message, refusalFix(hook.error))];
  }
  const { url } = hook.value;
  if (url === undefined || isPlaceholder(url)) return [noAddress(settings)];
  return [...hookFindings(hook.value, url, settings), ...arrivals(deliveries, url, settings)];
}

function isPlaceholder(url: string): boolean {
  return /^https?:\/\/example\.(?:com|org)\b/.test(url);
}

/** This is only a warning: without webhooks boards are still read by a timer, only later. */
function noAddress(settings: string): Finding {
  return reporterOf({ check: "webhook" }).warning(
    "the app has no webhook: what happens on GitHub is seen only every reconcileEvery",
    `set the webhook to https://YOUR-HOST${PATH}, with WEBHOOK_SECRET, on ${settings}`,
  );
}

function hookFindings(hook: HookFacts, url: string, settings: string): readonly Finding[] {
  const say = reporterOf({ check: "webhook" });
  const found: Finding[] = [];
  if (!url.replace(/\/+$/, "").endsWith(PATH)) {
    found.push(
      say.problem(`webhooks go to ${url}`, `let the address end with ${PATH} on ${settings}`),
    );
  }
  if (!hook.signed) {
    const fix = `set the webhook secret to the value of WEBHOOK_SECRET on ${settings}`;
    found.push(say.problem("GitHub does not sign webhooks: they are all refused", fix));
  }
  if (!hook.json) {
    const fix = `set the content type to application/json on ${settings}`;
    found.push(say.problem("webhooks are sent as forms, not as JSON", fix));
  }
  if (!hook.checksCertificate) {
    const fix = `switch SSL verification on at ${settings}`;
    found.push(say.warning("GitHub does not verify this server's certificate", fix));
  }
  return found.length > 0 ? found : [say.ok(`webhooks go to ${url}`)];
}

function arrivals(
  deliveries: HookReading["deliveries"],
  url: string,
  settings: string,
): readonly Finding[] {
  const say = reporterOf({ check: "deliveries" });
  if (!deliveries.ok) {
    const message = `webhook deliveries cannot be read: ${refusalWords(deliveries.error)}`;
    return [say.warning(message, refusalFix(deliveries.error))];
  }
  const [last] = deliveries.value;
  if (last === undefined) {
    const fix = `start the server and redeliver the ping on ${settings}/advanced`;
    return [say.warning("GitHub has not sent a webhook in the last three days", fix)];
  }
  const failed = deliveries.value.filter(({ status }) => !arrived(status)).length;
  if (arrived(last.status)) {
    const some = failed === 0 ? "" : `; ${failed} of the last ${deliveries.value.length} did not`;
    return [say.ok(`the last webhook (${last.event}) arrived${some}`)];
  }
  const count = `${failed} of the last ${deliveries.value.length} webhooks did not arrive`;
  return [say.problem(`${count}, the last with ${statusWords(last.status)}`, fixFor(last, url))];
}

function arrived(status: number): boolean {
  return status >= 200 && status < 300;
}

function statusWords(status: number): string {
  return status === 0 ? "no answer" : `status ${status}`;
}

function fixFor({ status }: DeliveryFact, url: string): string {
  if (status === 400 || status === 401) {
    return "WEBHOOK_SECRET is not the secret of the app's webhook: make them the same";
  }
  if (status === 404 || status === 405) {
    return `what answers at ${url} is not wavetrain: pass the path ${PATH} on to it`;
  }
  return `see that wavetrain runs and that GitHub can reach ${url}; missed ones are fetched at the next start`;
}
