const HIDDEN = "[hidden]";

/** Programs are known to print credentials of these shapes. */
const SECRETS: readonly RegExp[] = [
  /\bgh[a-z]_[A-Za-z0-9]{20,255}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,255}/g,
  /\bsk-[A-Za-z0-9_-]{16,255}/g,
  /\bAKIA[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,60}/g,
  /\bxox[a-z]-[A-Za-z0-9-]{10,255}/g,
  /\beyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,4000}(?:\.[A-Za-z0-9_-]{10,2000})?/g,
  /(?<=:\/\/[^\s/:@]{1,100}:)[^\s/@]{1,255}(?=@)/g,
  /(?<=\bauthorization:\s?(?:bearer|basic|token)\s)\S{8,4000}/gi,
];

/** Hides what looks like a credential. This is a last line of defence: runners are not given ours. */
export function redact(text: string): string {
  return SECRETS.reduce((safe, secret) => safe.replace(secret, HIDDEN), text).replace(
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
    HIDDEN,
  );
}
