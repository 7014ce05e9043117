import type { House } from '../../../platform/server/domain.ts'

let running: House | undefined
export const setHouse = (house: House): void => void (running = house)
/** For a bidder, who sees what is their own alone: projects and others' bids are asked by the house. */
export function theHouse(): House {
  if (!running) throw new Error('The rent domain has not been started.')
  return running
}
