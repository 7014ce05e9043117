import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '../../platform/contract/call.ts'
import { bearer } from './checks.ts'
import { openWorld, tried, whole, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** Every list that a console reads. */
const lists = tried.filter(({ reply, writes, needs }) => {
  const { properties = {} } = reply as { properties?: object }
  return !writes && needs.includes(':') && 'records' in properties
})
const ROWS = 200
type Line = Record<string, unknown>
async function linesOf(one: Call<any, any>, lang: 'zh-chs' | 'en'): Promise<{ text: string; records: Line[] }> {
  const { status, text } = await world.ask(one, { current: 1, limit: ROWS }, { ...bearer(world.tokens.admin), cookie: `lang=${lang}` })
  // A list that has to be told of what it is, is looked at elsewhere.
  return { text, records: status === 200 ? (JSON.parse(text) as { data: { records: Line[] } }).data.records : [] }
}

/** Where the platform writes a reason, a remark or a name of its own, and the demo has such rows. */
const WRITTEN = `
  after-sale.work-order.select-list: creatorName
  charging.load.history: byName
  charging.order.query-order-recharge-refund: applicant
  charging.order.record-list: failReason
  charging.pile.commands: byName
  charging.pile.query-operate-log: commandState
  owner.asset.asset-info: remark
  settlement.liquidation.search-check-total: importedName
  settlement.order.list: subject
  settlement.refund.list: applicantName
  settlement.refund.list: reason
  share.share.query-share-member-info: ownerName
  staff.schedule.page-query-shift: shiftName
  street-lamp.timer.query: name
  system.log.change-page: authorName
`
  .trim()
  .split(/\s*\n\s*/)
/** A sentence that nobody put into words, with what stands around it. */
const unspoken = ({ id }: Call<any, any>, text: string) => (text.match(/.{0,40}[⟦⦀⟧].{0,60}/g) ?? []).map((found) => `${id}: ${found}`)
const HAN = /[\u4e00-\u9fff]+/g

test('what the platform wrote is read in English by whoever reads English, in every list', async () => {
  const wrong: string[] = []
  const seen = new Set<string>()
  for (const one of lists) {
    const [zh, en] = [await linesOf(one, 'zh-chs'), await linesOf(one, 'en')]
    wrong.push(...unspoken(one, zh.text + en.text))
    for (const [at, line] of en.records.entries())
      for (const [name, value] of Object.entries(line)) {
        const chinese = zh.records[at]?.[name]
        if (typeof value !== 'string' || typeof chinese !== 'string' || value === chinese) continue
        seen.add(`${one.id}: ${name}`)
        // A name or a plate that it tells of stands in both; a word of the sentence does not.
        const left = (value.match(HAN) ?? []).filter((word) => !chinese.includes(word))
        if (left.length > 0 || value.replaceAll(HAN, '').trim() === '') wrong.push(`${one.id}: ${name} ${value}`)
      }
  }
  expect(wrong).toEqual([])
  if (whole) expect(WRITTEN.filter((one) => !seen.has(one))).toEqual([])
}, 300_000)

test('a sheet has no sentence that was not put into words, and those of its reader', async () => {
  const sheets = tried.filter(({ id, file, needs }) => file && needs.includes(':') && /export/.test(id))
  const wrong: string[] = []
  const texts = new Map<string, string>()
  for (const one of sheets) {
    const { status, text } = await world.ask(one, { format: 'csv' }, { ...bearer(world.tokens.admin), cookie: 'lang=en' })
    if (status !== 200) continue
    texts.set(one.id, text)
    wrong.push(...unspoken(one, text))
  }
  expect(wrong).toEqual([])
  if (!whole) return
  expect(texts.size).toBeGreaterThan(30)
  const refunds = texts.get('settlement.refund.export')!
  expect([refunds.includes('Charging session settled: the rest is refunded'), refunds.includes('余款退回')]).toEqual([true, false])
}, 300_000)
