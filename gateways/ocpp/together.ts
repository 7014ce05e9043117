import { clockFound, effectsSeen, metersSaid, type MeterSaid, pilesBooted, type PileSession } from '../../domains/charging/server/api.ts'
import type { Instant } from '../../platform/contract/field.ts'
import type { House } from '../../platform/server/domain.ts'
import type { Tx } from '../../platform/server/database.ts'
import { openTogether } from '../../platform/server/job/together.ts'
import type { Reply } from './hear.ts'
import type { Said } from './said.ts'

export interface Boot {
  session: PileSession
  said: Extract<Said, { kind: 'boot' }>
  receivedMs: number
}
export interface Measured {
  equipmentId: string
  connectorId: string | null
  /** Nothing of a gun that we know. */
  meter: MeterSaid | undefined
  /** The pile whose clock the message gave away. */
  clockOf: PileSession | undefined
}
/**
 * Writes together the messages that many piles send at once and nobody waits for: starts after a power cut, measurements. While
 * one transaction is being committed the next fills.
 */
export function openShared(house: House) {
  return {
    boot: openTogether((enterprise, items: readonly Boot[]) => house.writing(enterprise, 'ocpp.BootNotification', (tx) => bootsHeard(tx, items)), {
      apartMs: 0,
    }),
    measured: openTogether(
      (enterprise, items: readonly Measured[]) => house.writing(enterprise, 'ocpp.MeterValues', (tx) => metersHeard(tx, items)),
      { apartMs: 0 },
    ),
  }
}
export type Shared = ReturnType<typeof openShared>

/** Piles have started. What they were told to do by starting, or to become, is done. */
export async function bootsHeard(tx: Tx, items: readonly Boot[]): Promise<Reply[]> {
  const boots = await pilesBooted(
    tx,
    items.map(({ session: { equipmentId }, said: { vendor, model, serial, firmware }, receivedMs }) => ({
      ...{ equipmentId, vendor, model, serialNo: serial, firmware, at: new Date(receivedMs).toISOString() as Instant },
    })),
  )
  await effectsSeen(
    tx,
    'boot',
    items.map(({ session: { equipmentId }, said: { firmware } }) => ({ equipmentId, result: { firmware } })),
  )
  const named = items.flatMap(({ session: { equipmentId }, said: { firmware } }) =>
    firmware === null ? [] : [{ equipmentId, result: { firmware }, where: ['version', firmware] as const }],
  )
  await effectsSeen(tx, 'installed', named)
  for (const { session } of items) session.clock.bootSkewMs = null
  return items.map(({ session: { equipmentId } }) => ({ kind: 'boot', boots: boots.get(equipmentId) ?? 1 }))
}

export async function metersHeard(tx: Tx, items: readonly Measured[]): Promise<Reply[]> {
  await metersSaid(
    tx,
    items.flatMap(({ meter }) => meter ?? []),
  )
  for (const { clockOf } of items) if (clockOf) await clockFound(tx, clockOf)
  await effectsSeen(
    tx,
    'message',
    items.map(({ equipmentId, connectorId }) => ({ equipmentId, connectorId })),
  )
  return items.map(() => ({ kind: 'noted' }))
}
