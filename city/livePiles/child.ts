import { startChild } from '../child.ts'
import type { PileLeft } from '../piles/pile.ts'

export interface PilesGiven {
  url: string
  secret: string
  /** The cards of cars that come by themselves. */
  cards: readonly string[]
  left: readonly PileLeft[]
}

/** The charging piles of the demo as a process of their own. */
export const startPilesProcess = (given: PilesGiven): Promise<string> =>
  startChild('charging piles', 'livePiles/main.ts', { at: `of ${given.url}`, args: [], env: { PILES: JSON.stringify(given) } })
