import type { House } from '../../../platform/server/domain.ts'

let running: House | undefined
export const setHouse = (house: House): void => void (running = house)
/** For a customer who is not signed in: their link says whose it is. */
export function theHouse(): House {
  if (!running) throw new Error('The after-sale domain has not been started.')
  return running
}
