import { randomUUID } from 'node:crypto'
import { aGate, aStay } from '../../domains/parking/server/factories.ts'
import { moveStay } from '../../domains/parking/server/stayMoves.ts'
import { openOrder, payCash } from '../../domains/settlement/server/api.ts'
import { anAlarm } from '../../domains/system/server/factories.ts'
import type { World } from '../matrix/world.ts'
import { aRegionCode, aPlate as plate, type Factories, makerIn, now, of, some } from './maker.ts'
import { readyPeople } from './readyPeople.ts'
import { readyChannel, readyGround, readyMessages, readySystem } from './readyRest.ts'

const PARK = 'P001'
const DUE_FEN = 1200
/** What a channel's payment is asked of. */
const WECHAT = 1

/**
 * Things in the very state that a call asks for: an open order, a refund that waits for its approval, a draft of a tariff. What a schema alone cannot know;
 * a call that is not here takes any row of its noun. `secret`: what the payment channel signs with.
 */
export async function readyIn(world: World, secret: string): Promise<Factories> {
  const maker = await makerIn(world)
  const { write, asked, row, admin, operator } = maker
  const anOrder = () =>
    write((tx) => openOrder(tx, { type: 1, plateNo: '鄂F12345', plateColor: 0, parkCode: PARK, receivableFen: DUE_FEN, discountFen: 0, at: now() }))
  const paid = async () => {
    const order = await anOrder()
    return write((tx) => payCash(tx, { orderId: order.id, amountFen: DUE_FEN, actor: { userId: randomUUID(), userName: 'cashier' }, at: now() }))
  }
  const refund = async () => asked(operator, 'settlement.refund.apply', { orderId: (await paid()).id, amountFen: 300, reason: '试' })
  const waiver = async () => asked(operator, 'settlement.waiver.apply', { orderId: (await anOrder()).id, amountFen: DUE_FEN, reason: '试' })
  const stay = () => write((tx) => aStay(tx, { parkCode: PARK, plateNo: plate() }))
  const gate = () => write((tx) => aGate(tx, { parkCode: PARK, gateCode: `${PARK}-${some()}`, direction: 1, sn: `PG-${some()}` }))
  const draft = async () => {
    const { id } = await asked(admin, 'fee.rule.insert', { name: `rule ${some()}` })
    return { ...(await asked(admin, 'fee.rule.detail', { id })), id } as { id: string; version: number }
  }
  const hour = async () => asked(admin, 'fee.hour.insert', { segmentId: (await segment(2)).id, unitMin: 60, unitFen: 500 })
  const frequency = async () => asked(admin, 'fee.frequency.insert', { segmentId: (await segment(1)).id, amountFen: 500 })
  const step = async () => asked(admin, 'fee.step.insert', { segmentId: (await segment(3)).id, upToMin: 60, totalFen: 500 })
  /** A draft that is whole: it may be published. */
  const whole = async () => {
    const one = await draft()
    const { id: segmentId } = await asked(admin, 'fee.segment.insert', { ruleVersionId: one.id, from: '00:00', to: '24:00', mode: 1 })
    await asked(admin, 'fee.frequency.insert', { segmentId, amountFen: 500 })
    return row('select id, version from fee.rule where id = $1', [one.id])
  }
  const segment = async (mode: number) => asked(admin, 'fee.segment.insert', { ruleVersionId: (await draft()).id, from: '00:00', to: '24:00', mode })
  const listed = async () => {
    const plateNo = plate()
    await asked(admin, 'member.white-black.insert', { plateNo, listType: 1, startAt: now(), endAt: later(1), reasonType: 1 })
    return of(await row('select id, version from member.list where plate_no = $1', [plateNo]))
  }
  const dictionaryType = async () =>
    asked(admin, 'system.dictionary.add-type', { categoryEn: `t${some().toLowerCase()}`, item: '试', itemEn: 'Trial' })
  const entry = async () =>
    asked(admin, 'system.dictionary.add', { categoryEn: (await dictionaryType()).categoryEn, ival: 1, cval: '一', itemEn: 'One' })
  const street = async () => asked(admin, 'system.region.add', { code: aRegionCode(), name: '试街道', rank: 4, parentCode: '420607' })
  const aSample = async () => of(await asked(admin, 'dashboard.sample.add', { code: `T-${some()}`, name: 'x', kind: 1 }))
  const aFolder = () => asked(admin, 'system.file.add-folder', { name: `folder ${some()}` })
  const aFile = () => asked(admin, 'system.file.add-file', { name: `file ${some()}` })
  const alarmRule = () => asked(admin, 'system.alarm-rule.save', { name: `rule ${some()}`, metric: 1, op: 1, threshold: 90, level: 1 })
  const law = async () => asked(admin, 'system.regulation.add', { title: `法 ${some()}`, kind: 4, effectiveOn: '2026-01-01' })
  const clause = async () => asked(admin, 'system.regulation.add-clause', { regulationId: (await law()).id, no: 1, content: '条' })
  const published = async () => {
    const { id, version } = await law()
    await asked(admin, 'system.regulation.add-clause', { regulationId: id, no: 1, content: '条' })
    return asked(admin, 'system.regulation.move', { id, version, to: 1 })
  }
  const page = async () => asked(admin, 'system.document.add', { title: '页', titleEn: 'Page' })
  const note = async () => asked(admin, 'system.update-info.add', { release: '9', title: '新', titleEn: 'New', content: '<p>新</p>' })
  const byOrder = async () => ({ id: (await anOrder()).id })
  return {
    ...readyPeople(maker),
    ...readyMessages(maker),
    ...readySystem(maker),
    ...readyChannel(maker, secret),
    ...readyGround(maker),
    'settlement.order.cash': async () => ({ ...(await byOrder()), amountFen: DUE_FEN }),
    'settlement.order.cancel': byOrder,
    'settlement.order.pay': async () => ({ ...(await byOrder()), payMethod: WECHAT }),
    'settlement.scan.pay': async () => ({ orderNo: (await anOrder()).orderNo, payMethod: WECHAT }),
    'settlement.refund.apply': async () => ({ orderId: (await paid()).id, amountFen: 300 }),
    'settlement.refund.approve': async () => of(await refund()),
    'settlement.refund.reject': async () => of(await refund()),
    'settlement.refund.pay-out': async () => of(await asked(admin, 'settlement.refund.approve', of(await refund()))),
    'settlement.waiver.apply': async () => ({ orderId: (await anOrder()).id, amountFen: DUE_FEN }),
    'settlement.waiver.approve': async () => of(await waiver()),
    'settlement.waiver.reject': async () => of(await waiver()),
    'parking.stay.handle': async () => ({ ...of(await write(async (tx) => moveStay(tx, await aStay(tx, { parkCode: PARK, plateNo: plate() }), 'flag', { abnormalType: 3 }))), handling: 1 }),
    // The stay that comes to hand may be inside already, as another car of that plate.
    'parking.stay.correct-plate': async () => ({ ...of(await stay()), plateNo: plate() }),
    'parking.stay.clear': async () => ({ parkCode: PARK, ids: [(await stay()).id] }),
    'parking.stay.unclear': async () => ({ id: (await asked(admin, 'parking.stay.clear', { parkCode: PARK, reason: '试', ids: [(await stay()).id] })).id }),
    'parking.stay.supplement': async () => ({ parkCode: PARK, plateNo: plate() }),
    'parking.gate.add': async () => ({ parkCode: PARK, gateCode: `${PARK}-${some()}` }),
    'parking.gate.update': async () => of(await gate()),
    'parking.gate-operation.open-gate': async () => ({ gateCode: (await gate()).gateCode }),
    'parking.gate-operation.text-to-led': async () => ({ gateCode: (await gate()).gateCode }),
    'parking.park.add': async () => ({ parkCode: `X${some()}` }),
    'device.iot-device.insert': async () => ({ deviceNo: `PG-${some()}` }),
    'fee.rule.update': async () => of(await draft()),
    'fee.rule.delete': async () => ({ id: (await draft()).id }),
    'fee.segment.insert': async () => ({ ruleVersionId: (await draft()).id }),
    'fee.segment.update': async () => of(await segment(1)),
    'fee.segment.delete': async () => ({ id: (await segment(1)).id }),
    'fee.hour.insert': async () => ({ segmentId: (await segment(2)).id, unitMin: 60 }),
    'fee.frequency.insert': async () => ({ segmentId: (await segment(1)).id }),
    'fee.frequency.update': async () => of(await frequency()),
    'fee.frequency.delete': async () => ({ id: (await frequency()).id }),
    'fee.hour.update': async () => of(await hour()),
    'fee.hour.delete': async () => ({ id: (await hour()).id }),
    'fee.step.insert': async () => ({ segmentId: (await segment(3)).id, upToMin: 60, totalFen: 500 }),
    'fee.step.update': async () => ({ ...of(await step()), upToMin: 90, totalFen: 600 }),
    'fee.step.delete': async () => ({ id: (await step()).id }),
    'fee.rule.publish': whole,
    'system.dictionary.add-type': async () => ({ categoryEn: `t${some().toLowerCase()}` }),
    'system.dictionary.update-type': async () => of(await dictionaryType()),
    'system.dictionary.delete-type': async () => ({ id: (await dictionaryType()).id }),
    'system.dictionary.add': async () => ({ categoryEn: (await dictionaryType()).categoryEn }),
    'system.dictionary.update': async () => of(await entry()),
    'system.dictionary.delete': async () => ({ id: (await entry()).id }),
    'system.regulation.update': async () => of(await law()),
    'system.regulation.delete': async () => ({ id: (await law()).id }),
    'system.regulation.move': async () => ({ ...of(await published()), to: 4 }),
    'system.regulation.revise': async () => ({ id: (await published()).id }),
    'system.regulation.add-clause': async () => ({ regulationId: (await law()).id, no: 1 }),
    'system.regulation.update-clause': async () => of(await clause()),
    'system.regulation.delete-clause': async () => ({ id: (await clause()).id }),
    'system.configuration.add': async () => ({ name: 'idleMinutes', value: 45 }),
    'system.document.update': async () => of(await page()),
    'system.document.delete': async () => of(await page()),
    'system.update-info.update': async () => of(await note()),
    'system.update-info.move': async () => ({ ...of(await note()), state: 1 }),
    'system.update-info.delete': async () => of(await note()),
    'system.update-info.seen': async () => ({ ids: [(await note()).id] }),
    'system.region.add': async () => ({ code: aRegionCode(), rank: 4, parentCode: '420607' }),
    'system.region.update': async () => ({ code: (await street()).code, version: 1 }),
    'system.region.delete': async () => ({ code: (await street()).code, version: 1 }),
    'dashboard.sample.add': async () => ({ code: `T-${some()}` }),
    'dashboard.sample.update': aSample,
    'dashboard.sample.finish': aSample,
    'dashboard.sample.reopen': async () => {
      const { id, version } = await aSample()
      await asked(admin, 'dashboard.sample.finish', { id, version })
      return { id, version: version + 1 }
    },
    'dashboard.sample.delete': aSample,
    'dashboard.sample.fill': async () => ({ rows: 2 }),
    'system.file.add-folder': async () => ({ name: `folder ${some()}`, parentId: null }),
    'system.file.add-file': async () => ({ name: `file ${some()}`, dirId: null, annexes: [] }),
    'system.file.delete-by-ids': async () => ({ ids: [(await aFile()).id] }),
    'system.file.update-file': async () => of(await aFile()),
    'system.file.move-file-to-dir': async () => ({ ids: [(await aFile()).id], toDirId: (await aFolder()).id }),
    'system.file.move-dir-to-dir': async () => ({ dirId: (await aFolder()).id, toDirId: (await aFolder()).id }),
    'system.file.update-folder': async () => ({ dirId: (await aFolder()).id, version: 1 }),
    'system.file.delete-folder': async () => ({ dirId: (await aFolder()).id }),
    'system.alarm-rule.save': async () => ({ name: `rule ${some()}`, metric: 1, threshold: 90 }),
    'system.alarm-rule.update': async () => of(await alarmRule()),
    'system.alarm-rule.delete': async () => of(await alarmRule()),
    'system.alarm-record.acknowledge': async () => of(await write(async (tx) => anAlarm(tx, await alarmRule()))),
    'member.white-black.insert': async () => ({ plateNo: plate() }),
    'member.white-black.update': listed,
    'member.white-black.delete': listed,
    'member.white-black.defer': async () => ({ ...(await listed()), endAt: later(2) }),
  } // prettier-ignore
}
/** So many days from now. */
const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
