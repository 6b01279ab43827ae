import { Problem } from "../model/problem.ts";
import type { ObjectName, Repository } from "../model/repository.ts";
import type { World } from "../model/world.ts";
import { linkTo } from "./links.ts";
import type { LfsAction } from "./links.ts";
import { findObject } from "./objects.ts";

/** A larger file is refused on GitHub's free plans. */
const MAX_BYTES = 2 * 1024 ** 3;

export interface Batch {
  readonly operation: "download" | "upload";
  readonly objects: readonly ObjectName[];
}

interface AnsweredObject extends ObjectName {
  readonly authenticated?: true;
  readonly actions?: Readonly<Record<string, LfsAction>>;
  readonly error?: { readonly code: number; readonly message: string };
}

export function readBatch(body: unknown): Batch {
  const { operation, objects, transfers, hash_algo: algorithm } = fieldsOf(body);
  if (operation !== "download" && operation !== "upload")
    throw new Problem(422, `Unknown operation: ${JSON.stringify(operation)}`);
  if (!Array.isArray(objects) || objects.length === 0)
    throw new Problem(422, "No objects specified");
  const offered = Array.isArray(transfers) ? transfers : ["basic"];
  if (!offered.includes("basic")) throw new Problem(422, "Unknown transfer");
  if (algorithm !== undefined && algorithm !== "sha256")
    throw new Problem(409, "Unsupported hash algorithm");
  return { operation, objects: objects.map(readName) };
}

export async function answerBatch(
  world: World,
  repository: Repository,
  { operation, objects }: Batch,
): Promise<unknown> {
  const answer = operation === "upload" ? answerUpload : answerDownload;
  const answered = objects.map(async (object): Promise<AnsweredObject> => {
    if (!isWellFormed(object))
      return { ...object, error: { code: 422, message: "Invalid object" } };
    const isThere = (await findObject(repository, object)) !== undefined;
    return { ...object, ...answer(world, { repository, object, isThere }) };
  });
  return { transfer: "basic", objects: await Promise.all(answered), hash_algo: "sha256" };
}

interface Asked {
  readonly repository: Repository;
  readonly object: ObjectName;
  readonly isThere: boolean;
}

type Answered = Omit<AnsweredObject, keyof ObjectName>;

function answerDownload(world: World, { repository, object, isThere }: Asked): Answered {
  if (!isThere) return { error: { code: 404, message: "Object does not exist on the server" } };
  return {
    authenticated: true,
    actions: { download: linkTo(world, { use: "download", repository, object }) },
  };
}

/** An object that is there already has no actions. */
function answerUpload(world: World, { repository, object, isThere }: Asked): Answered {
  if (object.size > MAX_BYTES)
    return { error: { code: 422, message: `Size must be less than or equal to ${MAX_BYTES}` } };
  if (isThere) return {};
  return {
    authenticated: true,
    actions: {
      upload: linkTo(world, { use: "upload", repository, object }),
      verify: linkTo(world, { use: "verify", repository, object }),
    },
  };
}

function isWellFormed({ oid, size }: ObjectName): boolean {
  return /^[0-9a-f]{64}$/.test(oid) && Number.isSafeInteger(size) && size >= 0;
}

function readName(object: unknown): ObjectName {
  const { oid, size } = fieldsOf(object);
  return { oid: typeof oid === "string" ? oid : "", size: typeof size === "number" ? size : -1 };
}

function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === "object" && body !== null ? { ...body } : {};
}
