import { yuan } from '../../../platform/web/format.ts'
import type { Text } from '../../../platform/web/text.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { AdminStatus } from '../contract/pile.ts'
import { pileCommand } from '../contract/pileCommand.ts'
import { ChargeStatus } from '../contract/session.ts'

/** What the button does, with the amount once it is typed. */
export const refunds = (fen: number | undefined): Text =>
  fen ? [`申请退款 ¥${yuan(fen)}`, `Request a refund of ¥${yuan(fen)}`] : ['申请退款', 'Request a refund']
export function adjusts(fen: number | undefined): Text {
  if (!fen) return ['调整账单', 'Adjust the bill']
  return fen < 0 ? [`退给车主 ¥${yuan(-fen)}`, `Return ¥${yuan(-fen)} to the driver`] : [`减免 ¥${yuan(fen)}`, `Waive ¥${yuan(fen)}`]
}
/** What to type where a charge is closed by hand: as the field takes it, to the last Wh. */
export function closes(startWh: number | null): Text {
  const [zh, en] = ['现场抄表读数；不填则按最后一次可信读数结算', 'Read at the pile; if left empty, the last reading that is believed counts']
  if (startWh === null) return [zh, en]
  const start = `${(startWh / 1_000).toFixed(3)} kWh`
  return [`${zh}；填 ${start}（起始底度）则电量为 0，不收电费和服务费`, `${en}. Enter ${start} (the start reading) to bill no energy at all`]
}

const AT_ONCE: Record<number, readonly unknown[]> = {
  [ConnectorStatus.charging]: [pileCommand.remoteStop],
  [ConnectorStatus.free]: [pileCommand.remoteStart],
  [ConnectorStatus.plugged]: [pileCommand.remoteStart, pileCommand.unlock],
  [ConnectorStatus.faulty]: [pileCommand.unlock],
}
/** Whether a command is what somebody on duty needs at a gun in this state: a charge is begun for a driver whose card is known, and ended, also where a fault was found meanwhile; a plug that is held is let go. */
export function isForNow({ status, orderStatus }: { status: number; orderStatus: number | null }, call: unknown): boolean {
  if (call === pileCommand.remoteStart && orderStatus !== null) return false
  const charges = status === ConnectorStatus.faulty && orderStatus === ChargeStatus.charging
  return AT_ONCE[charges ? ConnectorStatus.charging : status]?.includes(call) === true
}

/** Asked before a pile that is still faulty is put back in use; nothing is asked of a sound one, or where it is taken out. */
export function enablesFaulty({ equipmentId, faultCount }: { equipmentId: string; faultCount: number }, to: number): Text | undefined {
  if (to !== AdminStatus.enabled || faultCount === 0) return undefined
  const them = faultCount === 1 ? 'open fault' : 'open faults'
  return [`${equipmentId} 还有 ${faultCount} 条未恢复故障，仍要启用？`, `${equipmentId} has ${faultCount} ${them}. Enable it all the same?`]
}
