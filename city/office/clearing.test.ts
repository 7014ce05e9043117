import { afterAll, beforeAll, expect, test } from 'vitest'
import { begin, noticePayment } from '../../domains/settlement/server/api.ts'
import { aTill, type Till } from '../../domains/settlement/server/testing.ts'
import type { Instant } from '../../platform/contract/field.ts'
import { DAY_MS, instantAt } from '../../platform/contract/time.ts'
import { run } from '../../platform/server/database.ts'
import { addClearing } from './clearing.ts'
import { feeOf } from '../fees.ts'

let till: Till
beforeAll(async () => void (till = await aTill()))
afterAll(() => till?.close())
const inTx = <T>(sql: string, values: unknown[] = []) => till.server.house.writing(1, 'test', (tx) => run<T>(tx, { sql }, values))
/** Paid through a channel two days ago, in the past that the clearing tells. */
async function paid(channel: string, amountFen: number) {
  const order = await till.anOrder({ receivableFen: amountFen })
  const at = instantAt(Date.now() - 2 * DAY_MS) as Instant
  const payNo = await till.server.house.writing(1, 'test', async (tx) => {
    const { attempt } = await begin(tx, order.id, 1, at)
    await noticePayment(tx, { payNo: attempt.payNo, channel: attempt.channel, tradeNo: `T${attempt.payNo}`, amountFen, paidAt: at, at })
    return attempt.payNo
  })
  await inTx('update settlement.payment set channel = $2 where pay_no = $1', [payNo, channel])
}

test('the file of a channel keeps what that channel keeps elsewhere in the demo: the ETC issuer five of a thousand, the others six', async () => {
  await paid('wechat', 10_000)
  await paid('etc', 10_000)
  await addClearing(till.server.house, 1, Date.now())
  const fees = await inTx<{ channel: string; fen: number }>(
    `select channel, sum(fee_fen)::int as fen from settlement.check_total where channel in ('etc', 'wechat') group by channel having sum(fee_fen) > 0 order by channel`,
  )
  expect(fees.find(({ channel }) => channel === 'etc')?.fen).toBe(50)
  expect([feeOf('etc', 10_000), feeOf('wechat', 10_000)]).toEqual([50, 60])
})
