import { startChild } from '../child.ts'
import type { DrivenCar } from './rounds.ts'

export interface TerminalsGiven {
  port: number
  cars: readonly DrivenCar[]
}

/** The terminals of the demo's cars as a process of their own. */
export const startTerminalsProcess = (given: TerminalsGiven): Promise<string> =>
  startChild('vehicle terminals', 'liveTerminals/main.ts', { at: `of port ${given.port}`, args: [], env: { TERMINALS: JSON.stringify(given) } })
