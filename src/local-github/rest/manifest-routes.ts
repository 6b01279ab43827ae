import { convertManifest } from "../actions/app-manifests.ts";
import { clientId } from "../model/app.ts";
import { notFound } from "../model/problem.ts";
import type { Route } from "./route.ts";
import { appView } from "./view/app.ts";

/** The only time that an App's secrets are told. */
export const MANIFEST_ROUTES: readonly Route[] = [
  {
    for: "anyone",
    method: "POST",
    template: "/app-manifests/{code}/conversions",
    answer: ({ world, params }) => {
      const made = convertManifest(world, params["code"] ?? "");
      if (made === undefined) throw notFound();
      const { app, pem, clientSecret } = made;
      const secrets = { client_id: clientId(app), client_secret: clientSecret, pem };
      const body = { ...appView(world, app), ...secrets, webhook_secret: app.webhookSecret };
      return { status: 201, body };
    },
  },
];
