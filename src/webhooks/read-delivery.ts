import * as z from "zod";
import type { Delivery } from "../domain/delivery.ts";

/** Signed, but not what GitHub sends: taking it in again would change nothing. */
export class MalformedDelivery extends Error {
  override readonly name = "MalformedDelivery";
}

const login = z.looseObject({ login: z.string().optional() }).nullish();

const payload = z.looseObject({
  repository: z.looseObject({}).nullish(),
  organization: login,
  installation: z.looseObject({}).nullish(),
  sender: login,
});

/** The one place where the shape of a payload is looked at; what is not looked at here counts as unknown everywhere. */
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
