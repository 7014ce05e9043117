import { mine } from '../../domains/owner/contract/mine.ts'
import { openSession } from '../../domains/owner/server/api.ts'
import { order, OrderStatus } from '../../domains/settlement/contract/order.ts'
import { PayMethod } from '../../domains/settlement/contract/payment.ts'
import { instantAt } from '../../platform/contract/time.ts'
import type { House } from '../../platform/server/domain.ts'
import { type Client, driverWith } from '../client.ts'
import { carOf, phoneOf } from './customers.ts'
import { pause } from '../drive/world.ts'
import type { Lane } from '../lane.ts'
import { AgreementState } from '../../domains/owner/contract/agreement.ts'

/** Owners with a verified car; the last one only thinks about it. */
const SIGNERS = [
  { n: 5, payMethod: PayMethod.wechat, agrees: true },
  { n: 6, payMethod: PayMethod.alipay, agrees: true },
  { n: 7, payMethod: PayMethod.wechat, agrees: false },
] as const
const LOOKS = 40
const LOOK_MS = 250

/** Some drivers agree on the channel's page that fees are taken as they leave; one of them comes, and leaves so. */
export async function agreeToDebit(house: House, client: Client, enterprise: number, { url, lane }: { url: string; lane: Lane }): Promise<void> {
  for (const { n, payMethod, agrees } of SIGNERS) {
    const driver = driverWith(url, await sessionOf(house, enterprise, phoneOf(n)))
    const carNow = async () => (await driver.ask(mine.home, {})).cars[0]!
    const { id, version } = await carNow()
    const { signUrl } = await driver.ask(mine.sign, { id, version, payMethod })
    if (!agrees) continue
    const page = new URL(signUrl)
    await fetch(new URL('/sign', page), { method: 'POST', body: new URLSearchParams({ contractNo: page.searchParams.get('contractNo')! }) })
    await seen(async () => (await carNow()).debitState === AgreementState.signed)
  }
  const car = carOf(SIGNERS[0].n)
  await lane.visits(car)
  const paid = () => client.ask(order.list, { plateNo: car.plateNo, status: [OrderStatus.paid], payMethod: [PayMethod.autoDebit] })
  if (await seen(async () => (await paid()).records.length > 0)) await lane.leaves()
}

const sessionOf = (house: House, enterprise: number, phone: string): Promise<string> =>
  house.writing(enterprise, 'demo', async (tx) => {
    const owner = await tx.selectFrom('owner.account').select('id').where('phone', '=', phone).executeTakeFirstOrThrow()
    return openSession(tx, owner.id, '127.0.0.1', instantAt(Date.now()))
  })

/** Whether it comes about within ten seconds. */
async function seen(look: () => Promise<boolean>): Promise<boolean> {
  for (let n = 0; n < LOOKS; n++) {
    if (await look()) return true
    await pause(LOOK_MS)
  }
  return false
}
