import { departures, renderDifference } from "../src/config/repository/differences.ts";
import type { Difference } from "../src/config/repository/differences.ts";

/** Says where the measured server is not one with an empty file. */
export function tellDifferences(differences: readonly Difference[]): void {
  const special = departures(differences);
  const usual = differences.filter((one) => !special.includes(one)).map(({ path }) => path);
  console.log(`  the defaults, but for ${usual.join(", ")}`);
  for (const one of special) console.log(`  and ${renderDifference(one)}`);
}
