import { randomBytes, randomUUID } from 'node:crypto'
import { signed } from '../../city/pay/signature.ts'
import { aGate, aPark, reads } from '../../domains/parking/server/factories.ts'
import { openOrder, payCash } from '../../domains/settlement/server/api.ts'
import { aRegionCode, AS, aPlate, csv, type Factories, type Maker, now, of, some } from './maker.ts'

/** Channels, templates, tasks and what was sent. */
export function readyMessages({ made, row, asked, admin, aPerson }: Maker): Factories {
  const aChannel = () =>
    made('message.channel.insert', { name: `hook ${some()}`, type: 8, url: 'https://kerbline.example/hook', secret: 'a secret of some length' })
  const aTemplate = () =>
    made('message.template.insert', { code: `t.${some().toLowerCase()}`, name: '试', kind: 1, channelType: 1, title: '试', content: '试' })
  /** One that arrived in the administrator's own box; in another state where one is named. */
  const aRecord = async (state = 2) => {
    const { id: custId } = await row(`select id from identity.person where username = 'admin'`)
    await asked(admin, 'message.record.insert', { custIds: [custId], title: some(), content: '试' })
    return row(
      `update message.record set send_state = $1 where id = (select id from message.record where cust_id = $2 order by created_at desc, id desc limit 1) returning id, version`,
      [state, custId],
    )
  }
  /** A draft for everybody, inside the console. */
  const aTask = async () => {
    const { id: channelId } = await row('select id from message.channel where enterprise_id = 1 and type = 1')
    return { name: '试', templateId: (await aTemplate()).id, channelId, audience: { kind: 4 } }
  }
  /** Its one message failed. */
  const aFailedTask = async () => {
    const { id } = await made('message.task.insert', await aTask())
    await row('update message.task set state = 4 where id = $1', [id])
    await row('update message.record set task_id = $1 where id = $2', [id, (await aRecord(3)).id])
    return { id }
  }
  return {
    'message.channel.insert': async () => ({ name: `hook ${some()}`, type: 8, url: 'https://kerbline.example/hook', secret: 'a secret of some length' }),
    'message.channel.update': async () => of(await aChannel()),
    'message.channel.delete': async () => ({ id: (await aChannel()).id }),
    'message.channel.test': async () => ({ id: (await aChannel()).id }),
    'message.template.update': async () => of(await aTemplate()),
    'message.template.delete': async () => ({ id: (await aTemplate()).id }),
    'message.task.insert': aTask,
    'message.task.resend': aFailedTask,
    'message.record.insert': async () => ({ custIds: [(await aPerson()).id], title: '试', content: '试' }),
    'message.record.update': async () => ({ ...of(await aRecord()), sendState: 4 }),
    'message.record.delete': async () => ({ id: (await aRecord()).id }),
    'message.record.tag': async () => ({ id: (await aRecord()).id }),
    'message.record.resend': async () => ({ id: (await aRecord(3)).id }),
    'message.rule.update': async () => ({ version: (await asked(admin, 'message.rule.get')).version }),
  } // prettier-ignore
}

/** Files in the bin, exports under way, regions and clauses in sheets. */
export function readySystem({ made, row, asked, admin }: Maker): Factories {
  const exported = async (state: number) => {
    const { id } = await row(
      `insert into platform.export (enterprise_id, person_id, call, title, title_en, criteria, format) select 1, id, 'trial', '试', 'Trial', '{}', 'csv' from identity.person where username = 'admin' returning id`,
    )
    await row(
      `insert into platform.export_file (id, enterprise_id, person_id, columns, language, format, name, state) select id, 1, person_id, '[]', 0, 'csv', 'trial.csv', $2 from platform.export where id = $1`,
      [id, state],
    )
    return { id }
  }
  /** One that is no longer as it was shipped. */
  const setting = async () => {
    const kept = () => row(`select name, version from system.configuration where name = 'idleMinutes'`)
    if (!(await kept())) await asked(admin, 'system.configuration.add', { name: 'idleMinutes', value: 45 })
    return kept()
  }
  return {
    'system.export.cancel': () => exported(2),
    'system.export.renew': () => exported(3),
    'system.configuration.update': async () => ({ ...(await setting()), value: 50 }),
    'system.configuration.reset': setting,
    'system.helpPage.update': async () => of(await asked(admin, 'system.document.add', { title: '页', titleEn: 'Page' })),
    'system.region.import': async () => csv({ 区划代码: aRegionCode(), 名称: '试街道', 级别: '乡级', 上级代码: '420607' }),
    'system.regulation.import-clause': async () => ({ regulationId: (await made('system.regulation.add', { title: `法 ${some()}` })).id, ...csv({ 章节: '', 条号: '1', 条文: '条' }) }),
    'system.file.purge': async () => {
      const { id } = await asked(admin, 'system.file.add-file', { name: `file ${some()}` })
      await asked(admin, 'system.file.delete-by-ids', { ids: [id] })
      return { binnedIds: [id] }
    },
  } // prettier-ignore
}

/** A channel's notice of a payment, signed as the channel signs it, and refunds that it could not pay out. `secret` is the channel's. */
export function readyChannel({ write, asked, made, row, admin, operator }: Maker, secret: string): Factories {
  const DUE_FEN = 1200
  const order = () =>
    write((tx) => openOrder(tx, { type: 1, plateNo: '鄂F12345', plateColor: 0, parkCode: 'P001', receivableFen: DUE_FEN, discountFen: 0, at: now() }))
  const notice = (payNo: string) =>
    signed(
      {
        mchId: 'kerbline-1',
        channel: 'wechat',
        kind: 'payment',
        number: payNo,
        tradeNo: `T-${some()}`,
        amountFen: DUE_FEN,
        result: 'SUCCESS',
        finishedAt: now(),
        timestamp: Math.floor(Date.now() / 1000),
        nonce: randomBytes(16).toString('hex'),
      },
      secret,
    )
  const failedRefund = async () => {
    const { id: orderId } = await order()
    await write((tx) => payCash(tx, { orderId, amountFen: DUE_FEN, actor: { userId: randomUUID(), userName: 'cashier' }, at: now() }))
    const asking = await asked(operator, 'settlement.refund.apply', { orderId, amountFen: 300, reason: '试' })
    const refund = await asked(admin, 'settlement.refund.approve', of(asking))
    await row('update settlement.payment set refunding_fen = refunding_fen - 300 where order_id = $1', [orderId])
    await row('update settlement.order set refunding_fen = refunding_fen - 300 where id = $1', [orderId])
    return row('update settlement.refund set state = 4 where id = $1 returning id, version', [refund.id])
  }
  return {
    'settlement.notice.sandbox': async () => notice((await made('settlement.order.pay', { id: (await order()).id, payMethod: 1 })).payNo),
    'settlement.refund.retry': failedRefund,
  } // prettier-ignore
}

/** Parks, areas, gates and devices of their own, and a lane that asks. */
export function readyGround({ made, row, write }: Maker): Factories {
  const PARK = 'P001'
  const park = (more = {}) => write((tx) => aPark(tx, { parkCode: `X${some()}`, ...more }))
  const area = async () => made('parking.region.add', { parkCode: (await park()).parkCode, areaCode: `A-${some().slice(0, 4)}` })
  const gate = (parkCode = PARK) => write((tx) => aGate(tx, { parkCode, gateCode: `${parkCode}-${some()}`, direction: 1, sn: `PG-${some()}` }))
  const device = () => made('device.iot-device.insert', { deviceNo: `PG-${some()}` })
  return {
    'parking.park.update': async () => of(await park()),
    'parking.park.update-status': async () => ({ ...of(await park()), status: 2 }),
    'parking.park.delete': async () => of(await park()),
    'parking.region.update': async () => of(await area()),
    'parking.region.delete': async () => of(await area()),
    'parking.gate.update-status': async () => ({ ...of(await gate()), status: 2 }),
    'parking.lane-board.answer': async () => {
      const { gateCode, cameraId } = await gate((await park({ tempAllowed: false })).parkCode)
      await write((tx) => reads(tx, { sn: cameraId!, at: now(), plate: aPlate() }))
      return { ...(await row('select gate_code as "gateCode", decision_id as "decisionId" from parking.lane where gate_code = $1', [gateCode])), answer: 2 }
    },
    'device.iot-product.update': async () => of(await made('device.iot-product.insert', { name: `product ${some()}` })),
    'device.iot-device.delete-list': async () => ({ ids: [(await device()).id] }),
    'device.picture.upload': async () => {
      const deviceNo = `PG-${some()}`
      const { secret } = await made('device.iot-device.insert', { deviceNo })
      return { [AS]: `Basic ${Buffer.from(`${deviceNo}:${secret}`).toString('base64')}` }
    },
  } // prettier-ignore
}
