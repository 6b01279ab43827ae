export type Role = "none" | "read" | "triage" | "write" | "maintain" | "admin";

export interface User {
  readonly kind: "user";
  readonly id: number;
  readonly nodeId: string;
  readonly login: string;
  readonly type: "User" | "Bot";
  readonly createdAt: string;
}

export interface Organization {
  readonly kind: "organization";
  readonly id: number;
  readonly nodeId: string;
  login: string;
  readonly type: "Organization";
  readonly createdAt: string;
}

export type Account = User | Organization;
