import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { find, listOver, page } from '../../../../platform/server/page.ts'
import { tell, topic } from '../../../../platform/server/realtime.ts'
import { IllegalMove, NotFound } from '../../../../platform/server/refusal.ts'
import { lockRow, setRow } from '../../../../platform/server/row.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { alarmCan, type AlarmEnding, AlarmRecord, alarmRecord, alarmRecordSearch, AlarmState } from '../../contract/alarmRecord.ts'
import '../tables.ts'

type Row = Of<typeof AlarmRecord>
const records = listOver(AlarmRecord, 'system.alarmRecord', alarmRecordSearch)
const alarmTopic = topic('system.alarm-record', 'system:alarm-record:view')

export const calls = serve(alarmRecord, {
  pageQuery: ({ tx, input }) => page(tx, records, input),
  async getInfo({ tx, input }) {
    const found = await find(tx, records, input.id)
    if (!found) throw NotFound()
    return found
  },
  async acknowledge({ tx, input, actor, at }) {
    const found = await lockRow(tx, records, input)
    const state = alarmCan.acknowledge(found.state)
    if (state === undefined) throw IllegalMove({ state: found.state })
    return setAlarm(tx, found, { state, acknowledgedAt: at, acknowledgedBy: actor.userName, note: input.note ?? null }, at)
  },
})

/** One change of an alarm that people see, and open pages hear of. */
export async function setAlarm(tx: Tx, found: Row, changes: Partial<Row>, at: Instant): Promise<Row> {
  const changed = await setRow(tx, records, found, changes, at)
  await tell(tx, alarmTopic, { ids: [found.id] })
  return changed
}
export const tellAlarm = (tx: Tx, id: string) => tell(tx, alarmTopic, { ids: [id] })

/** The open alarms of a rule are over because the rule is another now, or none. Nobody is told: somebody did it. */
export async function endAlarms(
  tx: Tx,
  { ruleId, ending }: { ruleId: Row['ruleId']; ending: keyof (typeof AlarmEnding)['entries'] },
  at: Instant,
): Promise<void> {
  const ended = await run<{ id: string }>(
    tx,
    {
      sql: `update system.alarm_record set state = ${AlarmState.recovered}, recovered_at = $2, ending = $3, version = version + 1
        where enterprise_id = scope_enterprise() and rule_id = $1 and state in (${AlarmState.raised}, ${AlarmState.acknowledged}) returning id`,
    },
    [ruleId, at, ending],
  )
  if (ended.length > 0) await tell(tx, alarmTopic, { ids: ended.map(({ id }) => id) })
}
