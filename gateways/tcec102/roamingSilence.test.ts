import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { dueRoamings, seeTo, sweepRoaming } from '../../domains/charging/server/roaming/drive.ts'
import { now } from '../../domains/charging/server/testing.ts'
import { allowOutside } from '../../platform/server/outside.ts'
import {
  yard,
  garage,
  openRoaming,
  closeRoaming,
  until,
  MINUTE,
  ago,
  anOperator,
  aDriver,
  starts,
  decide,
  row,
  began,
  course,
  bill,
  owed,
  rights,
} from './factory.ts'

beforeAll(openRoaming, 60_000)
afterAll(closeRoaming)

describe('Where nothing is heard', () => {
  const write = <T>(work: Parameters<typeof yard.write<T>>[0]) => yard.write(work)
  /** As if so many minutes had passed. */
  async function later(id: string, minutes: number) {
    const back = `${minutes} minutes`
    await yard.sql(
      `update charging.roaming set created_at = created_at - $2::interval, asked_at = asked_at - $2::interval, said_at = said_at - $2::interval, start_time = start_time - $2::interval, end_time = end_time - $2::interval where id = $1`,
      [id, back],
    )
    const due = (await write((tx) => dueRoamings(tx, now()))).filter((one) => one.id === id)
    for (const one of due) await seeTo(write, one)
    return due.map(({ what }) => what)
  }
  it('a start that came to nobody’s knowledge is asked for, and given up only once the partner does not know it', async () => {
    const [there, driver] = [await anOperator(), await aDriver()]
    const { peer, gun } = there
    peer.answers['query_start_charge'] = () => ((peer.refuse = { ret: 500 }), { SuccStat: 0 })
    const { data } = await driver.mine('start', { platformId: peer.platformId, connectorId: gun })
    expect(data).toMatchObject({ status: 1, held: true })
    peer.refuse = { status: 503 }
    expect(await later(data.id, 2)).toEqual(['ask'])
    expect(await row(data.id)).toMatchObject({ status: 1, held: true })
    peer.refuse = { ret: 4004 }
    expect(await later(data.id, 2)).toEqual(['ask'])
    expect(await row(data.id)).toMatchObject({ status: 6, held: false })
    expect((await driver.stands()).frozenFen).toBe(0)
    peer.refuse = {}
    // It began all the same: its money is set aside again, and it charges.
    const { startChargeSeq: seq } = await row(data.id)
    expect(await peer.ask('notification_start_charge_result', began(seq, gun))).toMatchObject({ SuccStat: 0 })
    expect(await row(data.id)).toMatchObject({ status: 2, held: true, releasedFen: 0 })
    expect((await driver.stands()).frozenFen).toBe(10_000)
    await rights()
  })
  it('one that began after it was given up, and whose money is gone, is stopped', async () => {
    const [there, driver] = [await anOperator(), await aDriver(2_000)]
    const { peer, gun, guns } = there
    const { id, seq } = await starts(driver, there)
    await peer.ask('notification_start_charge_result', { ...began(seq, gun), StartChargeSeqStat: 4, SuccStat: 1, FailReason: 5 })
    expect(await row(id)).toMatchObject({ status: 6, held: false })
    await driver.mine('start', { platformId: peer.platformId, connectorId: guns[1] })
    await peer.ask('notification_start_charge_result', began(seq, gun))
    await until(() => expect(peer.heard.filter(({ name, data }) => name === 'query_stop_charge' && data.StartChargeSeq === seq)).toHaveLength(1))
    expect(await row(id)).toMatchObject({ status: 3, held: false })
  })
  it('a charge is asked for, stopped before its money is used up, asked to stop again, and without a bill it is a person’s', async () => {
    const [there, driver] = [await anOperator(), await aDriver()]
    const { peer, gun } = there
    const { id, seq } = await starts(driver, there, { holdFen: 1_000 })
    await peer.ask('notification_start_charge_result', began(seq, gun))
    peer.answers['query_equip_charge_status'] = course(seq, gun, 4)
    expect(await later(id, 3)).toEqual(['ask'])
    expect(await row(id)).toMatchObject({ status: 2, costFen: 400 })
    await peer.ask('notification_equip_charge_status', course(seq, gun, 9.9))
    const stops = () => peer.heard.filter(({ name, data }) => name === 'query_stop_charge' && data.StartChargeSeq === seq).length
    await until(async () => expect([stops(), (await row(id)).status, (await row(id)).stopReason]).toEqual([1, 3, 5]))
    peer.answers['query_stop_charge'] = { SuccStat: 1, FailReason: 3, StartChargeSeqStat: 4 }
    expect(await later(id, 2)).toEqual(['stop'])
    expect(await row(id)).toMatchObject({ status: 4 })
    expect(await later(id, 24 * 60 + 1)).toEqual(['noBill'])
    expect(await row(id)).toMatchObject({ status: 7, doubts: [7], held: true })
    expect(
      await peer.ask(
        'notification_charge_order_info',
        bill(seq, gun, 10, { StartTime: ago(24 * 60), EndTime: ago(24 * 60 - 20), ChargeDetails: [] }),
      ),
    ).toMatchObject({ ConfirmResult: 0 })
    expect(await row(id)).toMatchObject({ status: 5, capturedFen: 1000 })
  })
  it('a partner that no longer knows us does not say that it knows no such charge', async () => {
    const [there, driver] = [await anOperator(), await aDriver()]
    const { peer, gun } = there
    const { id, seq } = await starts(driver, there)
    for (const ret of [4001, 4002, 4003, 500, -1]) {
      peer.answers['query_equip_charge_status'] = () => ret
      expect(await later(id, 4)).toEqual(['ask'])
      expect({ ret, ...(await row(id)) }).toMatchObject({ ret, status: 1, held: true })
    }
    await peer.ask('notification_start_charge_result', began(seq, gun))
    peer.answers['query_equip_charge_status'] = () => 4001
    expect(await later(id, 4)).toEqual(['ask'])
    expect(await row(id)).toMatchObject({ status: 2 })
    peer.answers['query_equip_charge_status'] = () => 4004
    expect(await later(id, 4)).toEqual(['ask'])
    expect(await row(id)).toMatchObject({ status: 7, doubts: [8], held: true })
  })
  it('a start that the partner has heard nothing of is given up, and one that charges while it is called off is not', async () => {
    const [there, driver] = [await anOperator(), await aDriver()]
    const { peer, gun } = there
    const { id } = await starts(driver, there)
    peer.answers['query_equip_charge_status'] = ({ StartChargeSeq }) => ({ StartChargeSeq, StartChargeSeqStat: 5, ConnectorStatus: 0 })
    expect(await later(id, 2)).toEqual(['ask'])
    expect(await row(id)).toMatchObject({ status: 1, held: true })
    expect(await later(id, 2)).toEqual(['ask'])
    expect(await row(id)).toMatchObject({ status: 6, held: false })
    const called = await starts(driver, there)
    peer.answers['query_stop_charge'] = ({ StartChargeSeq }) => ({ StartChargeSeq, StartChargeSeqStat: 2, SuccStat: 1, FailReason: 2 })
    await driver.mine('stop', { id: called.id })
    await peer.ask('notification_equip_charge_status', course(called.seq, gun, 1))
    expect(await later(called.id, 4)).toEqual(['stop'])
    expect(await row(called.id)).toMatchObject({ status: 3, held: true })
  })
  it('a charge that its partner has lost is a person’s after a day, who settles it at no more than was set aside', async () => {
    const [there, driver] = [await anOperator(), await aDriver()]
    const { peer, gun } = there
    const { id, seq } = await starts(driver, there, { holdFen: 1_000 })
    await peer.ask('notification_equip_charge_status', course(seq, gun, 4))
    peer.answers['query_equip_charge_status'] = ({ StartChargeSeq }) => ({ StartChargeSeq, StartChargeSeqStat: 5, ConnectorStatus: 0 })
    expect(await later(id, 3)).toEqual(['ask'])
    expect(Date.now() - Date.parse((await row(id)).saidAt)).toBeGreaterThan(3 * MINUTE)
    expect(await later(id, 24 * 60)).toEqual(['noBill'])
    expect(await row(id)).toMatchObject({ status: 7, doubts: [7], held: true, costFen: 400 })
    const settle = async (amountFen: number) =>
      yard.server.ask<any>(yard.admin, 'POST', '/lbs/charging/roaming/settle', {
        id,
        version: (await row(id)).version,
        amountFen,
        reason: '电话核对',
      })
    expect(await settle(1_001)).toMatchObject({ status: 422, code: 41346 })
    expect(await settle(450)).toMatchObject({ status: 200, data: { status: 7 } })
    expect(await decide(garage.second, id, { version: (await row(id)).version, pass: true })).toMatchObject({
      status: 200,
      data: { status: 5, capturedFen: 450, releasedFen: 550 },
    })
    expect([await owed(there), (await driver.stands()).principalFen]).toEqual([450, 9_550])
    await rights()
  })
  it('a partner that is silent holds up no other', async () => {
    const open: Socket[] = []
    const hole = createServer((socket) => void open.push(socket))
    await new Promise<void>((done) => void hole.listen(0, '127.0.0.1', done))
    const { port } = hole.address() as { port: number }
    allowOutside([`127.0.0.1:${port}`])
    const [dead, alive] = [await anOperator(), await anOperator()]
    for (const there of [dead, alive]) {
      const { id } = await starts(await aDriver(), there)
      await yard.sql(
        `update charging.roaming set created_at = created_at - interval '2 minutes', asked_at = asked_at - interval '2 minutes' where id = $1`,
        [id],
      )
    }
    await yard.sql('update charging.platform set base_url = $2 where id = $1', [dead.peer.platformId, `http://127.0.0.1:${port}/`])
    const swept = sweepRoaming.alone!({ house: yard.server.house, enterprise: 1, data: {}, at: now() })
    const asked = () => alive.peer.heard.some(({ name }) => name === 'query_equip_charge_status')
    await vi.waitFor(() => expect(asked()).toBe(true), { timeout: 3_000, interval: 20 })
    hole.close()
    for (const socket of open) socket.destroy()
    await swept
  })
  it('an operator stops one, and is no stranger', async () => {
    const [there, driver] = [await anOperator(), await aDriver()]
    const { id, seq } = await starts(driver, there)
    await there.peer.ask('notification_start_charge_result', began(seq, there.gun))
    const stop = () => yard.server.ask(yard.admin, 'POST', '/lbs/charging/roaming/stop', { id, reason: '占用通道' })
    expect(await stop()).toMatchObject({ status: 200, data: { status: 3, stopReason: 1, failReason: '占用通道' } })
    expect(
      (await yard.server.ask(yard.admin, 'POST', '/lbs/charging/roaming/query', { status: [3] })).data.records.map((one: any) => one.id),
    ).toContain(id)
    await there.peer.ask('notification_charge_order_info', bill(seq, there.gun, 1))
    expect(await stop()).toMatchObject({ status: 409 })
    // Of a long charge much was told before its bill.
    await yard.sql(
      `insert into charging.partner_message (platform_id, interface, order_no, state, said, way, created_at) select platform_id, 'notification_equip_charge_status', order_no, 1, '{}', 2, created_at - interval '1 hour'
        from charging.roaming, generate_series(1, 250) where id = $1`,
      [id],
    )
    const { letters } = (await yard.server.ask<any>(yard.admin, 'POST', '/lbs/charging/roaming/detail', { id })).data
    expect(letters.at(-1)).toMatchObject({ interface: 'notification_charge_order_info' })
    expect(letters).toHaveLength(200)
  })
})
