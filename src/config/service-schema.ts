import * as z from "zod";
import { duration } from "./duration.ts";

export const slots = z
  .number()
  .int()
  .nonnegative()
  .default(4)
  .describe(
    "Runs at the same time on this server, of all runners together; 0 leaves them to others that share the store.",
  );

export const finishing = z
  .number()
  .int()
  .positive()
  .default(2)
  .describe(
    "Runs whose agent has ended that are collected, verified and pushed at the same time; they hold no slot. When more than four times as many wait for that, nothing new starts.",
  );

/** How the app runs as a service: its stop, its memory, its control interface. */
export const serviceKeys = {
  deliveriesEvery: duration
    .refine((ms) => ms >= 100, { error: "expected at least 100ms" })
    .prefault("5m")
    .describe("How often GitHub is asked for webhooks that did not arrive."),
  onStop: z
    .enum(["finish", "stop", "leave"])
    .default("leave")
    .describe(
      "What happens to runs when the app is told to stop: `leave` lets them go on, the next start takes them up; `finish` waits for them; `stop` ends them and queues their tasks again.",
    ),
  stopTimeout: duration
    .prefault("10m")
    .describe("How long `onStop: finish` waits; what still runs then is stopped and queued again."),
  control: z
    .strictObject({
      remote: z
        .boolean()
        .default(false)
        .describe(
          "Lets other machines use the control interface, too; the token is always needed.",
        ),
      hosts: z
        .array(z.string().min(1))
        .default([])
        .describe("Names besides `localhost` under which the control interface may be addressed."),
    })
    .prefault({})
    .describe("The interface that `wavetrain status` and `wavetrain events` use."),
};
