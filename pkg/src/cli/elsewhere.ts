/**
 * Most command lines are a query, and one small file answers queries (see tools/bundle.mjs). A command that needs more
 * ends there with this error, before anything is written, and is started again in the whole command line.
 */
export class Elsewhere extends Error {}
