import type { House } from '../../../platform/server/domain.ts'

let running: House | undefined
export const setHouse = (house: House): void => void (running = house)
/** For the waits between two transactions: bringing messages out belongs to nobody who is signed in. */
export function theHouse(): House {
  if (!running) throw new Error('The message domain has not been started.')
  return running
}
