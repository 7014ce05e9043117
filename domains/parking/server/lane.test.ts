import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aGround, type Field, type Ground } from './testing.ts'

let ground: Ground
beforeAll(async () => {
  ground = await aGround()
})
afterAll(() => ground.server.close())

const opens = (told: Awaited<ReturnType<Field['told']>>) => told.filter(({ method }) => method === 'gate.open')
const shows = (told: Awaited<ReturnType<Field['told']>>) =>
  told.filter(({ method }) => method === 'display.show').flatMap(({ params }) => params.lines)

describe('a car comes, pays and leaves', () => {
  test('the whole way: in, seen at the exit, paid, through', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0, { image: '/files/in.jpg' })
    expect(opens(await field.told(field.inSn))).toHaveLength(1)
    const inside = await field.stay('鄂F12345')
    expect(inside).toMatchObject({
      status: 1,
      plateColor: 0,
      carKindIn: 9,
      entryMode: 1,
      entryGate: field.inGate,
      entryImage: '/files/in.jpg',
      payState: 0,
      exitTime: null,
    })
    expect(inside.ruleVersionId).not.toBeNull()

    await field.exits('鄂F12345', 90, { image: '/files/out.jpg' })
    const leaving = await field.stay('鄂F12345')
    expect(leaving).toMatchObject({ status: 2, exitTime: field.at(90), durationMin: 90, payableFen: 1000, paidFen: 0, payState: 1, carKindOut: 9 })
    const told = await field.told(field.outSn)
    expect(opens(told)).toHaveLength(0)
    expect(shows(told)).toContain('请缴费 10 元')

    await field.pays(leaving, 91)
    expect(opens(await field.told(field.outSn))).toMatchObject([{ params: { reason: 'paid', orderId: (await field.orders(leaving))[0]!.orderNo } }])
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 2, payState: 2, paidFen: 1000, payableFen: 1000 })

    await field.passes(92)
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 3, exitTime: field.at(90), abnormalType: 0 })
    expect(await field.lane(field.outGate)).toMatchObject({ state: 1, plateNo: null })
  })
})
