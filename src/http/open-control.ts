import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "../ports/log.ts";
import {
  newControlToken,
  reachableUrl,
  removeControlFile,
  writeControlFile,
} from "./control-file.ts";
import type { ControlSource } from "./route.ts";
import { createControl } from "./serve-control.ts";

export interface Control {
  readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  /** Leaves word of where it is, for the command line. */
  announce(host: string, port: number): Promise<void>;
  /** Ends what is being followed, so that the port can be closed. */
  close(): Promise<void>;
}

/** The control interface of a server that is about to listen. */
export function openControl(source: ControlSource & { readonly log: Log }): Control {
  const { dataDir, control, server } = source.operator;
  const token = newControlToken();
  const rules = { token, remote: control.remote, hosts: [...control.hosts, server.host] };
  const ended = new AbortController();
  return {
    serve: createControl({ rules, source, log: source.log, signal: ended.signal }),
    announce: (host, port) =>
      writeControlFile(dataDir, { url: reachableUrl(host, port), token, pid: process.pid }),
    close() {
      ended.abort();
      return removeControlFile(dataDir);
    },
  };
}
