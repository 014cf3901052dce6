const code = `const Real = Date; globalThis.Date = class extends Real {
  constructor(...given) { if (given.length) super(...given); else super(Real.now() + 7200000) }
  static now() { return Real.now() + 7200000 } }`

/** The environment of a process whose clock is two hours ahead. */
export const twoHoursAhead = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }
