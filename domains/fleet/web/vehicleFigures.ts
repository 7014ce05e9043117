import { DAY_MS } from '../../../platform/contract/time.ts'
import { cityDay } from '../../../platform/web/format.ts'
import type { Text } from '../../../platform/web/text.ts'
import { PAPERS_DUE_DAYS, VehicleStatus } from '../contract/vehicle.ts'

/** Over the list of cars, each with what it opens: papers that are over are no longer about to be. */
export function vehicleFigures(nowMs: number) {
  const inDays = (days: number) => cityDay(new Date(nowMs + days * DAY_MS)) as never
  return [
    { text: ['空闲', 'available'] as Text, leads: { status: [VehicleStatus.idle] } },
    { text: ['使用中', 'in use'] as Text, leads: { status: [VehicleStatus.inUse] } },
    { text: ['年检将到期', 'inspections expiring'] as Text, leads: { inspectEndFrom: inDays(0), inspectEndTo: inDays(PAPERS_DUE_DAYS) } },
    { text: ['年检过期', 'inspections expired'] as Text, leads: { inspectEndTo: inDays(-1) } },
    { text: ['保险将到期', 'insurance expiring'] as Text, leads: { insuranceEndFrom: inDays(0), insuranceEndTo: inDays(PAPERS_DUE_DAYS) } },
    { text: ['保险过期', 'insurance expired'] as Text, leads: { insuranceEndTo: inDays(-1) } },
  ]
}
