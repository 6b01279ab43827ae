import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { execa } from "execa";

export interface TlsFront {
  /** It is `127.0.0.1:` and a port. */
  readonly host: string;
  /** No machine trusts it by itself. */
  readonly certificate: string;
  close(): void;
}

/** Answers by HTTPS what the local GitHub answers by HTTP. Key and certificate are made in the folder. */
export async function startTlsFront(url: string, folder: string): Promise<TlsFront> {
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const made = ["-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate];
  const name = ["-days", "2", "-subj", "/CN=front", "-addext", "subjectAltName=IP:127.0.0.1"];
  await execa("openssl", ["req", ...made, ...name]);
  const { port } = new URL(url);
  const pem = { key: await readFile(key), cert: await readFile(certificate) };
  const front = createServer(pem, (incoming, response) => {
    const { method, url: path, headers } = incoming;
    const asked = request({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    asked.on("error", () => response.destroy());
    incoming.pipe(asked);
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  return {
    host: `127.0.0.1:${(front.address() as AddressInfo).port}`,
    certificate,
    close() {
      front.closeAllConnections();
      front.close();
    },
  };
}
