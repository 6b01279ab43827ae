import type { Inspection } from "../ports/inspection.ts";
import type { AppReading } from "./app-reading.ts";

type Asked = Pick<AppReading, "appId" | "apiUrl" | "wanted">;

/** Asks GitHub what it knows of the app. */
export async function readApp(
  asked: Asked,
  { github, now }: { readonly github: Inspection; readonly now: () => number },
): Promise<AppReading> {
  const app = await github.app();
  const readAt = now();
  if (!app.ok) return { ...asked, readAt, app, more: undefined };
  const [hook, deliveries, installations] = await Promise.all([
    github.hook(),
    github.deliveries(),
    github.installations(),
  ]);
  return { ...asked, readAt, app, more: { hook, deliveries, installations } };
}
