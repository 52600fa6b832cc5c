/**
 * Most command lines are a question, and a question is answered by one file that holds nothing else (see tools/bundle.mjs). What loads
 * more ends there with this, before anything is written, and is started again where everything is.
 */
export class Elsewhere extends Error {}
