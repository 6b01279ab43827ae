import { generateKeyPairSync } from "node:crypto";

/** Makes the pair of keys of an App: the App signs with the private one, and GitHub knows the public one. */
export function newAppKey(): { readonly publicKey: string; readonly privateKey: string } {
  return generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}
