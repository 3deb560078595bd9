// The tables, for Kysely's types. Each part of the server adds its own tables here by declaration merging,
// so that a table is described beside the code that owns it.

// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Tables {}
