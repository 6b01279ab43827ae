import { MAX_BEAM, MAX_DEPTH } from "../../domain/exploration.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { wholeNumber } from "../trial/check-options.ts";
import type { RawExploreOptions, WantedLimits } from "./explore-options.ts";

const MAX_SLOTS = 64;
const MAX_RETRIES = 10;
const MAX_PATIENCE = 10;
/** A week is longer than anybody waits for one idea. */
const MAX_TIMEOUT_SECONDS = 604_800;

interface Option {
  readonly name: string;
  readonly text: string | undefined;
  readonly least: number;
  readonly most: number;
}

/** Reads the numbers, or says which of them is none. */
export function checkLimits(raw: RawExploreOptions): Result<WantedLimits, string> {
  const options: readonly Option[] = [
    { name: "--depth", text: raw.depth, least: 1, most: MAX_DEPTH },
    { name: "--beam", text: raw.beam, least: 1, most: MAX_BEAM },
    { name: "--max-parallel-evals", text: raw.maxParallelEvals, least: 1, most: MAX_SLOTS },
    { name: "--max-parallel-per-node", text: raw.maxParallelPerNode, least: 1, most: MAX_SLOTS },
    { name: "--eval-retries", text: raw.evalRetries, least: 0, most: MAX_RETRIES },
    {
      name: "--eval-timeout-seconds",
      text: raw.evalTimeoutSeconds,
      least: 1,
      most: MAX_TIMEOUT_SECONDS,
    },
    { name: "--patience", text: raw.patience, least: 1, most: MAX_PATIENCE },
  ];
  const wrong = options.find((option) => option.text !== undefined && read(option) === undefined);
  if (wrong !== undefined)
    return fail(`${wrong.name} takes a whole number from ${wrong.least} to ${wrong.most}`);
  const [depth, beam, parallel = 1, perNode, retries, seconds, patience] = options.map(read);
  const timeoutMs = seconds === undefined ? undefined : seconds * 1000;
  const strict = raw.strict === true;
  return ok({ depth, beam, parallel, perNode, retries, timeoutMs, patience, strict });
}

function read({ text, least, most }: Option): number | undefined {
  return text === undefined ? undefined : wholeNumber(text, { least, most });
}
