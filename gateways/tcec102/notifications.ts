import { ConnectorStatus, LockStatus, ParkStatus } from '../../domains/charging/contract/connector.ts'
import { billTold, progressTold, startTold, stateTold, stopTold } from '../../domains/charging/server/api.ts'
import { timeIn } from './codec.ts'
import { billOf, codeIn, progressOf, stageOf } from './theirWords.ts'
import { type Interface, readable, Side, text, Wrong } from './words.ts'
import { PartnerSaid } from '../../domains/charging/contract/why.ts'

/**
 * Handles the notifications that partners with stations send to the side that has the drivers. They may come again, late and in
 * any order; one that matches nothing of ours is answered so, and not tried again.
 */
const asks = Side.operator
const seqOf = (said: Record<string, unknown>) => text(said, 'StartChargeSeq', 27)
const taken = (StartChargeSeq: string, charge: object | undefined) => ({ StartChargeSeq, SuccStat: charge ? 0 : 1, FailReason: charge ? 0 : NO_SUCH })
const NO_SUCH = 1
const [TAKEN, IGNORED] = [0, 1]
const [AGREED, DISPUTED] = [0, 1]

const stationStatus: Interface = {
  name: 'notification_stationStatus',
  asks,
  writes: true,
  async answer({ tx, caller: { platformId }, said, at }) {
    const told = said['ConnectorStatusInfo']
    if (typeof told !== 'object' || told === null || Array.isArray(told)) throw new Wrong('ConnectorStatusInfo is missing')
    const info = told as Record<string, unknown>
    const status = codeIn(ConnectorStatus, info['Status'])
    if (status === undefined) throw new Wrong('Status is no state of a connector')
    const state = {
      connectorId: text(info, 'ConnectorID', 26),
      status,
      parkStatus: codeIn(ParkStatus, info['ParkStatus']) ?? ParkStatus.unknown,
      lockStatus: codeIn(LockStatus, info['LockStatus']) ?? LockStatus.unknown,
    }
    return { Status: (await stateTold(tx, platformId, state, at)) ? TAKEN : IGNORED }
  },
}

const startResult: Interface = {
  name: 'notification_start_charge_result',
  asks,
  writes: true,
  async answer({ tx, caller: { platformId }, said, at }) {
    const startChargeSeq = seqOf(said)
    const stage = stageOf(said['StartChargeSeqStat'])
    if (stage === undefined) throw new Wrong('StartChargeSeqStat is no state of a charging session')
    // Some say no SuccStat here; the state says whether it began.
    const began = stage === 'charging' || stage === 'stopping'
    const why =
      typeof said['FailReasonMsg'] === 'string' && said['FailReasonMsg'] !== ''
        ? readable(said['FailReasonMsg'])
        : PartnerSaid.failed({ code: String(said['FailReason'] ?? '-').slice(0, 20) })
    if (!began && stage !== 'ended' && Number(said['SuccStat']) !== 1) return taken(startChargeSeq, {})
    return taken(startChargeSeq, await startTold(tx, { platformId, startChargeSeq, began, startTime: timeIn(said['StartTime']) ?? null, why }, at))
  },
}

const chargeStatus: Interface = {
  name: 'notification_equip_charge_status',
  asks,
  writes: true,
  async answer({ tx, caller: { platformId }, said, at }) {
    const startChargeSeq = seqOf(said)
    const { StartChargeSeq, SuccStat } = taken(startChargeSeq, await progressTold(tx, { platformId, startChargeSeq, ...progressOf(said) }, at))
    return { StartChargeSeq, SuccStat }
  },
}

const stopResult: Interface = {
  name: 'notification_stop_charge_result',
  asks,
  writes: true,
  async answer({ tx, caller: { platformId }, said, at }) {
    const startChargeSeq = seqOf(said)
    const ended = stageOf(said['StartChargeSeqStat']) === 'ended'
    return taken(startChargeSeq, await stopTold(tx, { platformId, startChargeSeq, ended }, at))
  },
}

const orderInfo: Interface = {
  name: 'notification_charge_order_info',
  asks,
  writes: true,
  async answer({ tx, caller: { platformId }, said, at }) {
    const [startChargeSeq, connectorId] = [seqOf(said), text(said, 'ConnectorID', 26)]
    const agreed = await billTold(tx, { platformId, startChargeSeq, connectorId, ...billOf(said) }, at)
    return { StartChargeSeq: startChargeSeq, ConnectorID: connectorId, ConfirmResult: agreed ? AGREED : DISPUTED }
  },
}

export const notifications: readonly Interface[] = [stationStatus, startResult, chargeStatus, stopResult, orderInfo]
