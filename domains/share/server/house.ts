import type { House } from '../../../platform/server/domain.ts'

let running: House | undefined
export const setHouse = (house: House): void => void (running = house)
/** For a driver, who sees their own bookings alone: whether a bay is free is asked by the house. */
export function theHouse(): House {
  if (!running) throw new Error('The share domain has not been started.')
  return running
}
