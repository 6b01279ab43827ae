import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { packageFile } from "../package-file.ts";

const WEBHOOK_PATH = "/api/github/webhooks";
/** GitHub's limit for the name of an app. */
const MOST_NAME_CHARACTERS = 34;

/** `app.yml`, as far as it is looked into here. */
export interface Manifest {
  readonly name: string;
  readonly hook_attributes: { readonly url: string; readonly active: boolean };
  readonly default_permissions: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

export interface ManifestWishes {
  /** Undefined: the app shall belong to whoever is signed in. */
  readonly org: string | undefined;
  readonly name: string | undefined;
  /** Where GitHub reaches the server; undefined when it cannot. */
  readonly publicUrl: string | undefined;
  readonly redirectUrl: string;
}

export async function readManifest(): Promise<Manifest> {
  return parse(await readFile(packageFile("app.yml"), "utf8")) as Manifest;
}

/** What GitHub is asked to make: names of apps are unique on all of GitHub, so the owner's is part of it. */
export function manifestFor(base: Manifest, wishes: ManifestWishes): Manifest {
  const { org, publicUrl, redirectUrl } = wishes;
  const name = wishes.name ?? (org === undefined ? base.name : `${base.name}-${org}`);
  const { url } = base.hook_attributes;
  return {
    ...base,
    name: name.slice(0, MOST_NAME_CHARACTERS),
    redirect_url: redirectUrl,
    hook_attributes:
      publicUrl === undefined
        ? { url, active: false }
        : { url: `${publicUrl.replace(/\/+$/, "")}${WEBHOOK_PATH}`, active: true },
  };
}

/** Where the form with the manifest goes. */
export function newAppUrl(site: string, org: string | undefined, state: string): string {
  const place = org === undefined ? "" : `/organizations/${encodeURIComponent(org)}`;
  return `${site.replace(/\/+$/, "")}${place}/settings/apps/new?state=${state}`;
}
