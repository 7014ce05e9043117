import type { House } from '../../../platform/server/domain.ts'

let running: House | undefined
export const setHouse = (house: House): void => void (running = house)
/** For a driver at a gun, who is not signed in: the code or the charge says whose it is. */
export function theHouse(): House {
  if (!running) throw new Error('The charging domain has not been started.')
  return running
}
