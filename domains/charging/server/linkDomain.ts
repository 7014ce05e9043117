import type { House } from '../../../platform/server/domain.ts'
import { on } from '../../../platform/server/events.ts'
import { PileMethod } from '../contract/pileCommand.ts'
import { ChargeStatus } from '../contract/session.ts'
import { tasks as frameTasks } from './frame.ts'
import { calls as loads } from './load.ts'
import { forgetLoads, profileOver, reshareAll, reshareTask } from './loadShare.ts'
import { calls as links, lostTask } from './link.ts'
import { lockCharge } from './charge.ts'
import { command } from './pileCommand.ts'
import { openSecrets } from './pileSecret.ts'
import { calls as tells, keptForAnother } from './pileTell.ts'
import { profileTold, startBlocked, startWanted, stopWanted } from './said.ts'
import { SYSTEM } from '../../../platform/contract/said.ts'

/** The link side of the domain: what piles are told and how they are known. */
export const linkCalls = [...links, ...tells, ...loads]
export const linkTasks = [...frameTasks, lostTask, reshareTask, reshareAll, forgetLoads]

export function startLink(house: House): void {
  openSecrets(house.config)
  startBlocked.answer('charging.reservation', keptForAnother)
  profileTold.answer('charging.load', async (tx, told) => {
    await profileOver(tx, told)
    return undefined
  })
  on(startWanted, 'charging.link', async ({ tx, data: { orderNo, equipmentId, connectorId, token, startNo } }) => {
    if ((await lockCharge(tx, orderNo)).status !== ChargeStatus.waiting) return // called off, or begun, meanwhile
    await command(tx, { equipmentId, connectorId, orderNo, method: PileMethod.start, params: { token, startNo }, byName: SYSTEM })
  })
  on(stopWanted, 'charging.link', async ({ tx, data: { orderNo, equipmentId, connectorId, transactionId } }) => {
    if ((await lockCharge(tx, orderNo)).endTime !== null) return // it has ended meanwhile
    await command(tx, { equipmentId, connectorId, orderNo, method: PileMethod.stop, params: { transaction: transactionId }, byName: SYSTEM })
  })
}
