import fc from "fast-check";
import { SEED } from "./proofs.ts";

// Without this every run would draw its seed from the clock.
fc.configureGlobal({ seed: SEED });

export default fc;
