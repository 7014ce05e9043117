/** `SEED=7` repeats a run. Said when it begins, so that a failure can be repeated. */
export const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
