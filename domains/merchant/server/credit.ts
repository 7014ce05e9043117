import type { Fen, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { BalanceKind } from '../contract/account.ts'
import { Credit, credit, creditPageSearch, creditSearch, CreditSerial } from '../contract/credit.ts'
import { lockMerchant, move } from './purse.ts'
import './tables.ts'

const BelowUsed = refusal(
  'merchant.credit-used',
  41730,
  '已用授信 ¥{used}，额度不能低于它；可选择随还款逐步收回',
  '¥{used} of the credit is used and it cannot go below that; choose to withdraw it as it is repaid',
  422,
)
const MoreThanGranted = refusal('merchant.credit-less', 41731, '收回金额超过授信额度 ¥{quota}', 'That is more than the credit of ¥{quota}', 422)

export const serials = listOver(CreditSerial, 'merchant.creditSerial', creditSearch, { sums: ['amountFen'] })
const credits = listOver(Credit, 'merchant.merchant', creditPageSearch, { marked: true, sums: ['balanceFen', 'quotaFen', 'usedFen'] })

export const calls = serve(credit, {
  page: ({ tx, input }) => page(tx, credits, input),
  serialPage: ({ tx, input }) => page(tx, serials, input),
  async add({ tx, input: { mchId, amountFen, reason }, actor, at }) {
    const found = await lockMerchant(tx, mchId)
    await move(tx, found, BalanceKind.granted, { quotaFen: amountFen }, { amountFen, bizNo: found.mchNo, remark: reason, at, by: actor.userName })
    await aim(tx, mchId, null)
    return creditOf(tx, mchId)
  },
  async delete({ tx, input: { mchId, amountFen, runDown = false, reason }, actor, at }) {
    const found = await lockMerchant(tx, mchId)
    const { quotaTargetFen } = await creditOf(tx, mchId)
    const wanted = (quotaTargetFen ?? found.quotaFen) - amountFen
    if (wanted < 0) throw MoreThanGranted({ quota: yuan(found.quotaFen) })
    if (wanted < found.usedFen && !runDown) throw BelowUsed({ used: yuan(found.usedFen) })
    const next = Math.max(wanted, found.usedFen)
    const facts = { amountFen: -amountFen, bizNo: found.mchNo, at, by: actor.userName, ...(reason && { remark: reason }) }
    await move(tx, found, BalanceKind.withdrawn, { quotaFen: next - found.quotaFen }, facts)
    await aim(tx, mchId, wanted < found.usedFen ? wanted : null)
    return creditOf(tx, mchId)
  },
})
const yuan = (fen: Fen) => (fen / 100).toFixed(2)
const aim = (tx: Tx, mchId: string, targetFen: number | null) =>
  run(tx, { sql: 'update merchant.merchant set quota_target_fen = $2 where enterprise_id = scope_enterprise() and id = $1' }, [mchId, targetFen])
const creditOf = async (tx: Tx, mchId: string): Promise<Of<typeof Credit>> => (await find(tx, credits, mchId))!
