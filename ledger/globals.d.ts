/** Set at build time (wrangler's `define`): true in the local run, false in what gets deployed. */
declare const LOCAL_RUN: boolean

