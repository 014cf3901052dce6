/**
 * A wrong or missing setting. The message names it and says in one line what to do, but never repeats its value.
 */
export class ConfigError extends Error {}
