import type { House } from '../../../platform/server/domain.ts'

let running: House | undefined
export const setHouse = (house: House): void => void (running = house)
/** For a driver at a printed code: there is no session, and the code says whose place it is. */
export function theHouse(): House {
  if (!running) throw new Error('The arrears domain has not been started.')
  return running
}
