import { generateKeyPairSync } from "node:crypto";

let key: ReturnType<typeof generate> | undefined;

/** The app's key, the same for every world of a process: finding the primes takes a tenth of a world's whole time. */
export function appKey(): ReturnType<typeof generate> {
  key ??= generate();
  return key;
}

function generate() {
  return generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}
