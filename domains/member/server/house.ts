import type { House } from '../../../platform/server/domain.ts'

let running: House | undefined
export const setHouse = (house: House): void => void (running = house)
/** For a driver, who sees their own passes alone: whether a place is left, and whether a car has a pass already, is asked by the house. */
export function theHouse(): House {
  if (!running) throw new Error('The member domain has not been started.')
  return running
}
