// Loaded into a server with `node --import`: its clock is wrong by so many milliseconds. The kernel's monotonic clock is not, as on a real machine.
const skew = Number(process.env.SKEW_MS);
const RealDate = Date;
const now = () => RealDate.now() + skew;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(now());
    else super(...given);
  }
  static now() {
    return now();
  }
};
