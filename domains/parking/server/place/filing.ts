import type { Day, Instant } from '../../../../platform/contract/field.ts'
import { dayOf } from '../../../../platform/contract/time.ts'
import { because } from '../../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { IllegalMove, refusal } from '../../../../platform/server/refusal.ts'
import { lockRow } from '../../../../platform/server/row.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { filing } from '../../contract/filing.ts'
import { FilingStatus, type Park } from '../../contract/park.ts'
import { parks, setPark } from './park.ts'
import '../tables.ts'

const OwnFiling = refusal(
  'parking.filing-own',
  40873,
  '备案由提交人以外的人审核',
  'A filing is reviewed by somebody other than the person who submitted it',
  403,
)
const NoNumber = refusal(
  'parking.filing-number',
  40874,
  '通过备案须填写备案号与今后的有效期',
  'To approve a filing, enter its number and a validity date in the future',
  422,
)
const NoReason = refusal('parking.filing-reason', 40875, '驳回须说明原因', 'Enter a reason for rejection', 422)
const Incomplete = refusal('parking.filing-incomplete', 40876, '备案前请补全：{zh}', 'Fill in before filing: {en}', 422)

export const calls = serve(filing, {
  async apply({ tx, input, actor, at }) {
    const found = await lockRow(tx, parks, input)
    if (found.filingStatus === FilingStatus.underReview || found.filingStatus === FilingStatus.filed)
      throw IllegalMove({ filingStatus: found.filingStatus })
    refuseIncomplete(found)
    return setPark(tx, found, { filingStatus: FilingStatus.underReview, filingBy: actor.userId }, at)
  },
  async decide({ tx, input: { id, version, pass, filingNo, filingUntil, reason }, actor, at }) {
    const found = await lockRow(tx, parks, { id, version })
    if (found.filingStatus !== FilingStatus.underReview) throw IllegalMove({ filingStatus: found.filingStatus })
    const [{ filingBy }] = (await tx.selectFrom('parking.park').select('filingBy').where('id', '=', id).execute()) as [{ filingBy: string | null }]
    if (filingBy === actor.userId) throw OwnFiling()
    if (!pass) {
      if (!reason) throw NoReason()
      await because(tx, reason)
      return setPark(tx, found, { filingStatus: FilingStatus.rejected }, at)
    }
    if (!filingNo || !filingUntil || filingUntil <= dayOf(at)) throw NoNumber()
    return setPark(tx, found, { filingStatus: FilingStatus.filed, filingNo, filingUntil: filingUntil as Day }, at)
  },
})

/** Facts that the authority asks of every park. */
const ASKED = [
  ['address', '地址', 'address'],
  ['lng', '位置', 'location'],
  ['phone', '电话', 'phone'],
] as const
function refuseIncomplete(park: (typeof Park)['~unsafe']): void {
  const missing = ASKED.filter(([field]) => park[field] === null)
  if (park.totalBays === 0) throw Incomplete({ zh: '总车位', en: 'bays' })
  if (missing.length > 0) throw Incomplete({ zh: missing.map(([, zh]) => zh).join('、'), en: missing.map(([, , en]) => en).join(', ') })
}

/** Filings whose last day is over. */
export const expireFilings = async (tx: Tx, at: Instant): Promise<void> => void (await run(tx, EXPIRE, [dayOf(at), at]))
const EXPIRE = {
  sql: `update parking.park set filing_status = ${FilingStatus.expired}, version = version + 1, updated_at = $2::timestamptz
    where enterprise_id = scope_enterprise() and filing_status = ${FilingStatus.filed} and filing_until < $1::date`,
}
