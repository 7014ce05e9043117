import type { House } from '../../../platform/server/domain.ts'

let running: House | undefined
export const setHouse = (house: House): void => void (running = house)
/** For a driver who is not signed in yet: the page says whose door it is. */
export function theHouse(): House {
  if (!running) throw new Error('The owner domain has not been started.')
  return running
}
