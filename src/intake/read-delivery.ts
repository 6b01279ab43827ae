import * as z from "zod";
import type { Delivery } from "../domain/signal.ts";

/** The delivery is signed but is nothing that GitHub sends. Taking it in again would change nothing. */
export class MalformedDelivery extends Error {
  override readonly name = "MalformedDelivery";
}

const login = z.looseObject({ login: z.string().optional() }).nullish();

const payload = z.looseObject({
  repository: z.looseObject({}).nullish(),
  organization: login,
  account: login,
  installation: z.looseObject({}).nullish(),
  sender: login,
});

/** Checks the shape of a payload. Every field that is not checked here counts as unknown everywhere. */
export function readDelivery({
  id,
  name,
  payload: sent,
}: {
  readonly id: string;
  readonly name: string;
  readonly payload: unknown;
}): Delivery {
  const { data, error } = payload.safeParse(sent);
  if (data !== undefined) return { id, name, payload: data };
  const where = error.issues[0]?.path.join(".") ?? "";
  throw new MalformedDelivery(`not a payload of GitHub${where === "" ? "" : `: ${where}`}`);
}
