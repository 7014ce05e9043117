import type { House } from '../../../platform/server/domain.ts'

let running: House | undefined
export const setHouse = (house: House): void => void (running = house)
/** For work that belongs to an enterprise without anybody signed in: a channel's notice, a driver at a payment code, a job between two waits. */
export function theHouse(): House {
  if (!running) throw new Error('The settlement domain has not been started.')
  return running
}
