import { yuan } from '../../../platform/web/format.ts'
import type { Text } from '../../../platform/web/text.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { pileCommand } from '../contract/pileCommand.ts'
import { ChargeStatus } from '../contract/session.ts'

/** What the button does, with the amount once it is typed. */
export const refunds = (fen: number | undefined): Text =>
  fen ? [`申请退款 ¥${yuan(fen)}`, `Request a refund of ¥${yuan(fen)}`] : ['申请退款', 'Request a refund']
export function adjusts(fen: number | undefined): Text {
  if (!fen) return ['调整账单', 'Adjust the bill']
  return fen < 0 ? [`退给车主 ¥${yuan(-fen)}`, `Return ¥${yuan(-fen)} to the driver`] : [`减免 ¥${yuan(fen)}`, `Waive ¥${yuan(fen)}`]
}

const AT_ONCE: Record<number, readonly unknown[]> = {
  [ConnectorStatus.charging]: [pileCommand.remoteStop],
  [ConnectorStatus.plugged]: [pileCommand.unlock],
  [ConnectorStatus.faulty]: [pileCommand.unlock],
}
/** Whether a command is what somebody on duty needs at a gun in this state: a charge is ended, also where a fault was found meanwhile; a plug that is held is let go. */
export function isForNow({ status, orderStatus }: { status: number; orderStatus: number | null }, call: unknown): boolean {
  const charges = status === ConnectorStatus.faulty && orderStatus === ChargeStatus.charging
  return AT_ONCE[charges ? ConnectorStatus.charging : status]?.includes(call) === true
}
