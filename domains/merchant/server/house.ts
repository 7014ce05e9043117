import type { House } from '../../../platform/server/domain.ts'

let running: House | undefined
export const setHouse = (house: House): void => void (running = house)
/** For an advertisement that is shown to somebody who is not signed in: the place says whose it is. */
export function theHouse(): House {
  if (!running) throw new Error('The merchant domain has not been started.')
  return running
}
