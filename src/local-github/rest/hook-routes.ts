import type { Route } from "./route.ts";

/** The App's own webhook. Its secret is never shown, only whether there is one. */
export const HOOK_ROUTES: readonly Route[] = [
  {
    for: "app",
    method: "GET",
    template: "/app/hook/config",
    answer: ({ world: { app } }) => ({
      status: 200,
      body: {
        content_type: "json",
        insecure_ssl: "0",
        ...(app.webhookSecret === "" ? {} : { secret: "********" }),
        ...(app.webhookUrl === null ? {} : { url: app.webhookUrl }),
      },
    }),
  },
];
