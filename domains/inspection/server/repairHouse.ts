import type { House } from '../../../platform/server/domain.ts'

let running: House | undefined
export const setRepairHouse = (house: House): void => void (running = house)
/** For whoever scans a device and is not signed in: its code says whose it is. */
export function theHouse(): House {
  if (!running) throw new Error('The inspection domain has not been started.')
  return running
}
