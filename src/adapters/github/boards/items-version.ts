import { AppError } from "../../../shared/app-error.ts";
import { httpFailureOf } from "../connection/github-failure.ts";

export type ItemsVersion =
  | { readonly kind: "same" }
  /** It is another one. Without an etag it cannot be recognized the next time. */
  | { readonly kind: "given"; readonly etag: string | undefined }
  /** GitHub gives the list no version. */
  | { readonly kind: "none" }
  /** Nothing can be said. Reading the board will give the reason, if there is one. */
  | { readonly kind: "refused" };

type Headers = Readonly<Record<string, string>>;
type Answered = { readonly etag?: string | undefined; readonly link?: string | undefined };

const REFUSALS: readonly number[] = [401, 403, 404];

/** Asks for a list with the version that is known of it. GitHub does not count the answer that it is unchanged. */
export async function askVersion(
  known: string | undefined,
  list: (headers: Headers) => Promise<{ readonly headers: Answered }>,
): Promise<ItemsVersion> {
  try {
    const { headers } = await list(known === undefined ? {} : { "if-none-match": known });
    return versionOf(headers);
  } catch (error) {
    const status = httpFailureOf(error)?.status ?? 0;
    if (status === 304) return { kind: "same" };
    if (REFUSALS.includes(status) || isUnreadable(error)) return { kind: "refused" };
    throw error;
  }
}

function versionOf({ etag, link = "" }: Answered): ItemsVersion {
  if (etag === undefined) return { kind: "none" };
  // Only the first page is looked at, so the version of a longer list tells nothing.
  return { kind: "given", etag: link.includes('rel="next"') ? undefined : etag };
}

function isUnreadable(error: unknown): boolean {
  return error instanceof AppError && error.code === "board-unreadable";
}
