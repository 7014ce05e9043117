import type { Of } from '../../../platform/contract/field.ts'
import { instantAt } from '../../../platform/contract/time.ts'
import type { Tx } from '../../../platform/server/database.ts'
import type { AlarmRule } from '../contract/alarmRule.ts'
import './tables.ts'

/** An alarm that was just raised by a rule on a server that nobody else knows. */
export async function anAlarm(tx: Tx, { id, name, metric, op, threshold, level }: Of<typeof AlarmRule>) {
  const now = instantAt(Date.now())
  const serverId = '01900000-0000-7000-8000-00000000000a'
  return tx
    .insertInto('system.alarmRecord')
    .values({
      ...{ ruleId: id, ruleName: name, serverId, serverName: 'app-9', metric, op, threshold, level, value: 950, mostValue: 950, lastValue: 950 },
      ...{
        since: now,
        raisedAt: now,
        seenAt: now,
        told: false,
        acknowledgedAt: null,
        acknowledgedBy: null,
        note: null,
        recoveredAt: null,
        ending: null,
      },
    })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow()
}
