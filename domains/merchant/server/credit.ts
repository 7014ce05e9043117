import type { Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { BalanceKind } from '../contract/account.ts'
import { Credit, CREDIT_FEN_MAX, credit, creditPageSearch, creditSearch, CreditSerial } from '../contract/credit.ts'
import type { MerchantRow } from './merchant.ts'
import { lockMerchant, move } from './purse.ts'
import './tables.ts'

const BelowUsed = refusal(
  'merchant.credit-used',
  41730,
  '已用授信 ¥{used}，额度不能低于它；可选择随还款逐步收回',
  '¥{used} of the credit is used and it cannot go below that; choose to withdraw it as it is repaid',
  422,
)
const MoreThanGranted = refusal(
  'merchant.credit-less',
  41731,
  '收回金额超过授信额度 ¥{quota}；请减少金额',
  'That is more than the credit of ¥{quota}: enter less',
  422,
)
const TooMuch = refusal('merchant.credit-most', 41732, '授信额度最多 ¥{most}，现为 ¥{quota}', 'Credit is limited to ¥{most}; it is ¥{quota} now', 422)

export const serials = listOver(CreditSerial, 'merchant.creditSerial', creditSearch, { sums: ['amountFen'] })
const credits = listOver(Credit, 'merchant.merchant', creditPageSearch, { marked: true, sums: ['balanceFen', 'quotaFen', 'usedFen'] })

export const calls = serve(credit, {
  page: ({ tx, input }) => page(tx, credits, input),
  serialPage: ({ tx, input }) => page(tx, serials, input),
  async add({ tx, input: { mchId, amountFen, reason }, actor, at }) {
    const found = await lockMerchant(tx, mchId)
    const quota = await meantOf(tx, found)
    if (quota + amountFen > CREDIT_FEN_MAX) throw TooMuch({ most: yuan(CREDIT_FEN_MAX), quota: yuan(quota) })
    const facts = { amountFen, bizNo: found.mchNo, remark: reason, at, by: actor.userName }
    return settleAt(tx, found, quota + amountFen, BalanceKind.granted, facts)
  },
  async delete({ tx, input: { mchId, amountFen, runDown = false, reason }, actor, at }) {
    const found = await lockMerchant(tx, mchId)
    const wanted = (await meantOf(tx, found)) - amountFen
    if (wanted < 0) throw MoreThanGranted({ quota: yuan(found.quotaFen) })
    if (wanted < found.usedFen && !runDown) throw BelowUsed({ used: yuan(found.usedFen) })
    const facts = { amountFen: -amountFen, bizNo: found.mchNo, at, by: actor.userName, ...(reason && { remark: reason }) }
    return settleAt(tx, found, wanted, BalanceKind.withdrawn, facts)
  },
})
/** Returns the credit after the excess use is repaid. */
const meantOf = async (tx: Tx, { id, quotaFen }: MerchantRow): Promise<number> => (await creditOf(tx, id)).quotaTargetFen ?? quotaFen
/** Makes the credit this much: at once, or as what is used of it is repaid. */
async function settleAt(tx: Tx, found: MerchantRow, wanted: number, kind: Parameters<typeof move>[2], facts: Parameters<typeof move>[4]) {
  await move(tx, found, kind, { quotaFen: Math.max(wanted, found.usedFen) - found.quotaFen }, facts)
  await aim(tx, found.id, wanted < found.usedFen ? wanted : null)
  return creditOf(tx, found.id)
}
const yuan = (fen: number) => (fen / 100).toFixed(2)
const aim = (tx: Tx, mchId: string, targetFen: number | null) =>
  run(tx, { sql: 'update merchant.merchant set quota_target_fen = $2 where enterprise_id = scope_enterprise() and id = $1' }, [mchId, targetFen])
const creditOf = async (tx: Tx, mchId: string): Promise<Of<typeof Credit>> => (await find(tx, credits, mchId))!
