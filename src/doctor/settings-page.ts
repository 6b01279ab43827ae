import type { AppFacts } from "../ports/inspection.ts";

/** Where the app's owner changes its settings. */
export function settingsPage({ page, owner, slug }: AppFacts): string {
  const [site] = page.split("/apps/");
  const place = owner.kind === "organization" ? `organizations/${owner.login}/` : "";
  return `${site ?? ""}/${place}settings/apps/${slug}`;
}
