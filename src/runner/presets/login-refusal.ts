const MAX_TEXT_LENGTH = 20_000;

/** The four programs, and the providers behind them, say so in these words. */
const REFUSAL =
  /\bstatus:? 401\b|\b401 unauthorized\b|api error: 401\b|missing environment variable|not logged in|please run \/login|failed to authenticate|invalid authentication|authentication_(?:error|failed)|(?:invalid|incorrect)[ _](?:x-)?api[ _-]key|api[ _]key[ _](?:not valid|invalid)/i;

/** Tells whether an error says that the program has no key or a wrong one. Never pass it words of the agent's own. */
export function isLoginRefusal(words: string): boolean {
  return REFUSAL.test(words.slice(0, MAX_TEXT_LENGTH));
}
