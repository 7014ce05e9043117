import type { Instant, Of } from '../../../platform/contract/field.ts'
import { because } from '../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { IllegalMove, NotFound, refusal, Refusal } from '../../../platform/server/refusal.ts'
import { addRow, json, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { holdRules, NoRule, resolveRule, ruleNameOf } from '../../fee/server/api.ts'
import { UseStatus } from '../../parking/contract/park.ts'
import { Section, section, type SectionChoice, type SectionNow, sectionSearch, flagCan } from '../contract/section.ts'
import { districtOf, ReasonNeeded } from './district.ts'
import { berthTopic } from './questions.ts'
import './tables.ts'

const DistrictOff = refusal('roadside.district-off', 41101, '所属片区已停用，请先启用片区', 'Its district is disabled: enable the district first')

const sections = listOver(Section, 'roadside.section', sectionSearch, { marked: true })
const byCode = listOver(Section, 'roadside.section', sectionSearch, { key: 'sectionCode', marked: true })
export type SectionRow = Of<typeof Section>

export const calls = serve(section, {
  async find({ tx, input, at }) {
    const found = await page(tx, sections, input)
    return { ...found, records: await withBerths(tx, found.records, at) }
  },
  info: async ({ tx, input, at }) => (await withBerths(tx, [await sectionOf(tx, input.sectionCode)], at))[0]!,
  async add({ tx, input: { line = [], ...input } }) {
    await districtOf(tx, input.parkCode)
    return addRow(tx, sections, { ...input, line: json(line) })
  },
  async edit({ tx, input: { id, version, line, ...changes }, at }) {
    const found = await lockRow(tx, sections, { id, version })
    return setSection(tx, found, { ...changes, ...(line && { line: json(line) }) }, at)
  },
  async changeFlag({ tx, input: { flag, reason, ...input }, at }) {
    if (flag === UseStatus.disabled && !reason) throw ReasonNeeded()
    if (reason) await because(tx, reason)
    const found = await lockRow(tx, sections, input)
    const next = flag === UseStatus.inUse ? flagCan.enable(found.flag) : flagCan.disable(found.flag)
    if (next === undefined) throw IllegalMove({ flag: found.flag })
    if (next === UseStatus.inUse) await refuseIdle(tx, found, at)
    await setSection(tx, found, { flag: next }, at)
  },
  choices: ({ tx, input }) => run<Of<typeof SectionChoice>>(tx, CHOICES, [input.parkCode ?? null, UseStatus.inUse]),
})
/** A picker that needs more than this needs a search. */
const CHOICES = {
  sql: `select park_code, section_code, name, flag from roadside.section
    where enterprise_id = scope_enterprise() and not deleted and ($1::text is null or park_code = $1) and flag = $2 order by section_code limit 1000`,
}

/** @throws NotFound when there is none, or the scope hides it */
export async function sectionOf(tx: Tx, sectionCode: string): Promise<SectionRow> {
  const found = await find(tx, byCode, sectionCode)
  if (!found) throw NotFound({ sectionCode })
  return found
}

/** A street that charges nothing by mistake is noticed late: it opens only with a district that is open and a rule that is published. */
async function refuseIdle(tx: Tx, { parkCode, sectionCode }: SectionRow, at: Instant): Promise<void> {
  const { status } = await districtOf(tx, parkCode)
  if (status === UseStatus.disabled) throw DistrictOff()
  await holdRules(tx)
  await resolveRule(tx, { parkCode, sectionCode, at })
}

async function setSection(tx: Tx, found: SectionRow, changes: Partial<SectionRow>, at: Instant): Promise<SectionRow> {
  const [row] = await Promise.all([
    setRow(tx, sections, found, changes, at),
    tell(tx, berthTopic, { park: found.parkCode, ids: [found.sectionCode] }),
  ])
  return row
}

async function withBerths(tx: Tx, rows: readonly SectionRow[], at: Instant): Promise<Of<typeof SectionNow>[]> {
  const codes = rows.map(({ sectionCode }) => sectionCode)
  const [counts, names] = await Promise.all([
    run<Pick<Of<typeof SectionNow>, 'sectionCode' | 'parkName' | 'seats' | 'occupied' | 'boundSeats'>>(tx, COUNTS, [codes]),
    Promise.all(rows.map(({ parkCode, sectionCode }) => ruleName(tx, { parkCode, sectionCode, at }))),
  ])
  const of = new Map(counts.map((one) => [one.sectionCode, one]))
  return rows.map((row, n) => ({ ...row, ...of.get(row.sectionCode)!, ruleName: names[n]! }))
}
const COUNTS = {
  sql: `select s.section_code, p.name as park_name,
      (select count(*)::int from roadside.berth b where b.enterprise_id = s.enterprise_id and b.section_code = s.section_code and not b.deleted) as seats,
      (select count(*)::int from parking.present c join roadside.berth b on b.enterprise_id = c.enterprise_id and b.park_code = c.park_code and b.seat_code = c.seat_code
        where c.enterprise_id = s.enterprise_id and c.park_code = s.park_code and b.section_code = s.section_code) as occupied,
      (select count(distinct d.seat_code)::int from roadside.binding d join roadside.berth b on b.enterprise_id = d.enterprise_id and b.park_code = d.park_code and b.seat_code = d.seat_code
        where d.enterprise_id = s.enterprise_id and d.park_code = s.park_code and d.to_at is null and b.section_code = s.section_code and not b.deleted) as bound_seats
    from roadside.section s join parking.park p on p.enterprise_id = s.enterprise_id and p.park_code = s.park_code
    where s.enterprise_id = scope_enterprise() and s.section_code = any($1)`,
}

/** The rule by which an ordinary car pays there now; `null` when none covers it. */
async function ruleName(tx: Tx, of: { parkCode: string; sectionCode: string; at: Instant }): Promise<string | null> {
  try {
    return await ruleNameOf(tx, await resolveRule(tx, of))
  } catch (error) {
    if (error instanceof Refusal && error.id === NoRule().id) return null
    throw error
  }
}
