import { AppError } from "../shared/app-error.ts";

/** Says nothing of the change: it is verified again. */
export function interrupted(): AppError {
  return new AppError("process-failed", "the verification was stopped", { retryable: true });
}
