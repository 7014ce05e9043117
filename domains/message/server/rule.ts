import type { Instant, Of } from '../../../platform/contract/field.ts'
import { CITY_OFFSET_MS, DAY_MS, instantAt, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { Stale } from '../../../platform/server/refusal.ts'
import { lockRow, onlyFields, rowsOver, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { ChannelType, type ChannelTypeCode } from '../contract/channel.ts'
import { rule, SendRule } from '../contract/rule.ts'
import { MessageKind } from '../contract/template.ts'
import './tables.ts'

export type Rule = Of<typeof SendRule>
const FIRST: Rule = { quiet: true, quietFrom: '22:00', quietTo: '08:00', recipientDayCap: 20, enterpriseDayCap: 20_000, version: 0 }
const COLUMNS = ['quiet', 'quietFrom', 'quietTo', 'recipientDayCap', 'enterpriseDayCap', 'version'] as const
const rules = rowsOver(SendRule, 'message.rule', [...COLUMNS, 'enterpriseId'], { key: 'enterpriseId' })
const shown = onlyFields(SendRule)

export const calls = serve(rule, {
  get: ({ tx }) => ruleOf(tx),
  async update({ tx, input: { version, ...changes }, actor, at }) {
    const now = await ruleOf(tx)
    if (now.version !== version) throw Stale({ version: now.version, sent: version })
    if (version > FIRST.version) return shown(await setRow(tx, rules, await lockRow(tx, rules, { id: actor.enterprise, version }), changes, at))
    return tx
      .insertInto('message.rule')
      .values({ ...FIRST, ...changes, version: 1 })
      .onConflict((same) => same.column('enterpriseId').doNothing())
      .returning(COLUMNS)
      .executeTakeFirstOrThrow(() => Stale())
  },
  unwanted: async ({ tx, actor }) => ({
    kinds: (await tx.selectFrom('message.unsubscribed').select('kind').where('personId', '=', actor.userId).orderBy('kind').execute()).map(
      ({ kind }) => kind,
    ),
  }),
  async refuse({ tx, input, actor, at }) {
    await tx.deleteFrom('message.unsubscribed').where('personId', '=', actor.userId).execute()
    const kinds = [...new Set(input.kinds)]
    if (kinds.length > 0)
      await tx
        .insertInto('message.unsubscribed')
        .values(kinds.map((kind) => ({ personId: actor.userId, kind, at })))
        .execute()
  },
})

export const ruleOf = async (tx: Tx): Promise<Rule> => (await tx.selectFrom('message.rule').select(COLUMNS).executeTakeFirst()) ?? FIRST

/** Messages that may go at night: those that wait in the console, those for machines, codes and urgent ones. */
export const ignoresQuiet = (of: { channelType: ChannelTypeCode; kind: number; urgent: boolean }): boolean =>
  of.channelType === ChannelType.inner || of.channelType === ChannelType.webhook || of.kind === MessageKind.code || of.urgent

/** When the quiet hours in which `at` lies are over; undefined outside of them. From 22:00 to 08:00 they cross midnight; the same twice is none. */
export function quietUntil({ quiet, quietFrom, quietTo }: Rule, at: Instant): Instant | undefined {
  const [from, to] = [minutesOf(quietFrom), minutesOf(quietTo)]
  if (!quiet || from === to) return undefined
  const ms = msOf(at) + CITY_OFFSET_MS
  const midnight = ms - (ms % DAY_MS)
  const minute = (ms - midnight) / MINUTE_MS
  const inside = from < to ? minute >= from && minute < to : minute >= from || minute < to
  if (!inside) return undefined
  const end = midnight + to * MINUTE_MS + (minute >= to ? DAY_MS : 0)
  return instantAt(end - CITY_OFFSET_MS)
}
const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
