import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { packageFile } from "../text/package-file.ts";

const WEBHOOK_PATH = "/api/github/webhooks";
/** GitHub takes no longer name for an app. */
const MAX_NAME_LENGTH = 34;

/** This is `app.yml`, as far as it is looked into here. */
export interface Manifest {
  readonly name: string;
  readonly hook_attributes: { readonly url: string; readonly active: boolean };
  readonly default_permissions: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

export interface ManifestWishes {
  /** When undefined, the app shall belong to whoever is signed in. */
  readonly org: string | undefined;
  readonly name: string | undefined;
  /** GitHub reaches the server here; undefined when it cannot. */
  readonly publicUrl: string | undefined;
  readonly redirectUrl: string;
}

export async function readManifest(): Promise<Manifest> {
  return parse(await readFile(packageFile("app.yml"), "utf8")) as Manifest;
}

/** Makes the manifest that GitHub gets. Names of apps are unique on all of GitHub, so the owner's name is part of it. */
export function manifestFor(base: Manifest, wishes: ManifestWishes): Manifest {
  const { org, publicUrl, redirectUrl } = wishes;
  const name = wishes.name ?? (org === undefined ? base.name : `${base.name}-${org}`);
  const { url } = base.hook_attributes;
  return {
    ...base,
    name: name.slice(0, MAX_NAME_LENGTH),
    redirect_url: redirectUrl,
    hook_attributes:
      publicUrl === undefined
        ? { url, active: false }
        : { url: `${publicUrl.replace(/\/+$/, "")}${WEBHOOK_PATH}`, active: true },
  };
}

/** Returns the address that the form with the manifest is sent to. */
export function newAppUrl(site: string, org: string | undefined, state: string): string {
  const place = org === undefined ? "" : `/organizations/${encodeURIComponent(org)}`;
  return `${site.replace(/\/+$/, "")}${place}/settings/apps/new?state=${state}`;
}
