import { choice } from '../kept.ts'

/** The drawer of one's own exports is open. The shell shows it. */
export const exportsShown = choice(false)
