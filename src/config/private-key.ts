import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Result } from "../shared/result.ts";
import { fail, ok } from "../shared/result.ts";

const PEM_START = "-----BEGIN";

/** The app's key as PEM text, given as that text, as its base64, or as the path of its file. The value is never repeated in a message. */
export function readPrivateKey(value: string): Result<string, string> {
  const pem = pemFrom(value);
  if (pem === undefined)
    return fail("is neither a PEM text, nor its base64, nor the path of a readable file");
  return isUsable(pem) ? ok(pem) : fail("is not an RSA private key without a passphrase");
}

function pemFrom(value: string): string | undefined {
  // Many a dashboard for variables turns line breaks into the two characters \n.
  const text = value.replaceAll("\\n", "\n").trim();
  if (text.startsWith(PEM_START)) return text;
  const decoded = Buffer.from(text, "base64").toString("utf8").trim();
  return decoded.startsWith(PEM_START) ? decoded : pemFile(value);
}

function pemFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    // Any reason is the same to the operator: the file cannot be read.
    return undefined;
  }
}

function isUsable(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    // The library throws for anything that is no key; so does a passphrase.
    return false;
  }
}
