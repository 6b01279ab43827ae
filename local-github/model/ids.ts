import { createHash } from "node:crypto";

export type NodePrefix =
  | "A"
  | "BOT"
  | "CR"
  | "CS"
  | "DI"
  | "EV"
  | "I"
  | "IC"
  | "IN"
  | "LA"
  | "MQ"
  | "MQE"
  | "O"
  | "PR"
  | "PRR"
  | "PRRC"
  | "PVT"
  | "PVTF"
  | "PVTFV"
  | "PVTI"
  | "PVTSSF"
  | "R"
  | "RE"
  | "SC"
  | "U"
  | "UCE"
  | "WFR";

export interface Identity {
  readonly id: number;
  readonly nodeId: string;
}

export function identity(counter: { lastId: number }, prefix: NodePrefix): Identity {
  counter.lastId += 1;
  return { id: counter.lastId, nodeId: nodeId(prefix, counter.lastId) };
}

function nodeId(prefix: NodePrefix, id: number): string {
  return `${prefix}_${Buffer.from(`lg:${id}`).toString("base64url")}`;
}

/** Makes eight hexadecimal digits that depend only on the words: the same board has the same option ids. */
export function optionId(fieldName: string, optionName: string): string {
  return createHash("sha256").update(`${fieldName}/${optionName}`).digest("hex").slice(0, 8);
}
