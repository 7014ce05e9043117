import { Rhythm, scheduled } from '../../platform/contract/scheduled.ts'
import type { Client } from '../client.ts'

/**
 * Schedules the exports that an office worker wants in the morning: yesterday's stays, and on Mondays the parks. Does nothing for
 * a person who has scheduled some already.
 */
export async function addScheduledExports(person: Client): Promise<void> {
  const { records } = await person.ask(scheduled.queryPage, { limit: 1 })
  if (records.length > 0) return
  const stays = {
    call: 'parking.record.export',
    criteria: {},
    name: '昨日停车记录',
    rhythm: Rhythm.daily,
    timeOfDay: '07:30',
    moving: 'entryTime',
    format: 'xlsx',
  }
  const parks = { call: 'parking.park.export', criteria: {}, name: '车场周报', rhythm: Rhythm.weekly, day: 1, timeOfDay: '08:00', format: 'xls' }
  for (const one of [stays, parks] as const) await person.ask(scheduled.add, one as never)
}
