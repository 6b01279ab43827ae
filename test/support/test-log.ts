import type { Log } from "../../src/ports/log.ts";

export interface Line {
  readonly level: keyof Log;
  readonly message: string;
  readonly fields: object;
}

/** Keeps what was said. */
export class TestLog implements Log {
  readonly lines: Line[] = [];

  debug(fields: object, message: string): void {
    this.lines.push({ level: "debug", message, fields });
  }

  info(fields: object, message: string): void {
    this.lines.push({ level: "info", message, fields });
  }

  warn(fields: object, message: string): void {
    this.lines.push({ level: "warn", message, fields });
  }

  error(fields: object, message: string): void {
    this.lines.push({ level: "error", message, fields });
  }

  /** Lines that an operator sees at the usual level. */
  get seen(): readonly string[] {
    return this.lines.filter(({ level }) => level !== "debug").map(({ message }) => message);
  }
}
