import { afterAll, beforeAll, expect, test } from 'vitest'
import { instantAt } from '../../../platform/contract/time.ts'
import { anAuction, type Auction } from '../../rent/server/testing.ts'
import { aLot, type Lot } from '../../share/server/testing.ts'
import { erase as eraseTask } from './account.ts'
import { Said } from '../contract/said.ts'

let lot: Lot
let auction: Auction
beforeAll(async () => void ([lot, auction] = [await aLot(), await anAuction()]))
afterAll(() => Promise.all([lot.close(), auction.close()]))

const care = (what: string, body: object) => lot.server.ask(lot.admin, 'POST', `/lbs/custom/owner/account/${what}`, body) as Promise<any>
const versionOf = async (ownerId: string) => (await lot.sql('select version from owner.account where id = $1', [ownerId]))[0].version

test('what is handed out to an owner has their bays and what they brought, also those of an account that became theirs; they are erased when nothing is left, and no name stays', async () => {
  const [keepId, goneId, { parkCode }] = [await lot.anOwner(), await lot.anOwner(), await lot.aSharedPark()]
  const bay = await lot.ofOwner(parkCode, goneId)
  const booked = await lot.booked(bay.id, { startAt: lot.at(0), endAt: lot.at(240) })
  await lot.tick(31)
  await lot.tick(31 + 25 * 60)
  expect((await care('merge', { keepId, goneId })).data.done).toBe(true)
  const { others } = (await care('export', { ownerId: keepId })).data
  expect(others).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ of: 'share.offer', id: bay.id }),
      expect.objectContaining({ of: 'share.booking', split_fen: 1440 }),
    ]),
  )
  expect(JSON.stringify(others)).not.toContain(booked.plateNo)
  const erase = async () => care('erase', { ownerId: keepId, version: await versionOf(keepId) })
  expect(await erase()).toMatchObject({ status: 409, code: 41865 })
  await lot.get('/share/updateShareMemberState', { id: bay.id, state: 2 })
  expect(await erase()).toMatchObject({ code: 41865 })
  const { data: asked } = await lot.post('/share/payoutApply', { ownerId: keepId, amountFen: 1440, bank: '6222000011112222' })
  await lot.sql(`update share.payout set applicant_id = owner_id where id = $1`, [asked.id])
  const { data: granted } = await lot.post('/share/payoutAudit', { id: asked.id, version: asked.version, pass: true })
  expect(await erase()).toMatchObject({ code: 41865 })
  expect((await lot.post('/share/payoutSettle', { id: asked.id, version: granted.version, result: 3, transferNo: 'T2' })).data.state).toBe(3)
  expect((await erase()).status).toBe(200)
  await lot.sql(`update owner.account set erase_at = now() - interval '1 minute' where id = $1`, [keepId])
  await lot.write((tx) => eraseTask.work({ house: lot.server.house, tx, at: lot.at(0), data: {} }))
  expect(await lot.sql('select owner_name, phone, proof from share.offer where id = $1', [bay.id])).toEqual([
    { ownerName: Said.erased, phone: null, proof: null },
  ])
  expect(await lot.sql('select owner_name, bank, amount_fen from share.payout where id = $1', [asked.id])).toEqual([
    { ownerName: Said.erased, bank: Said.erased, amountFen: 1440 },
  ])
})

test('what is handed out to an owner who bids for what is let has their papers and what they enrolled for; they are erased when no earnest money is held, and a person’s name does not stay', async () => {
  const { sql } = auction
  const care = (what: string, body: object) => auction.server.ask(auction.admin, 'POST', `/lbs/custom/owner/account/${what}`, body) as Promise<any>
  const { id: enrolId, bidderId } = await auction.qualified((await auction.enrolling()).id)
  await sql(`update rent.bidder set user_type = 1, name = '王芳', applicant_id = null, applicant_name = '王芳' where id = $1`, [bidderId])
  const [{ ownerId, certNo }] = await sql('select owner_id, cert_no from rent.bidder where id = $1', [bidderId])
  const { others } = (await care('export', { ownerId })).data
  expect(others).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ of: 'rent.bidder', name: '王芳', cert_no: certNo }),
      expect.objectContaining({ of: 'rent.enrollment', id: enrolId, earnest_fen: 200_000 }),
    ]),
  )
  expect(JSON.stringify(others)).not.toContain('副主管')
  const erase = async () => care('erase', { ownerId, version: (await sql('select version from owner.account where id = $1', [ownerId]))[0].version })
  expect(await erase()).toMatchObject({ status: 409, code: 42406 })
  await sql('update rent.enrollment set earnest_state = 4, applicant_id = null, applicant_name = $2 where id = $1', [enrolId, '王芳'])
  expect((await erase()).status).toBe(200)
  await sql(`update owner.account set erase_at = now() - interval '1 minute' where id = $1`, [ownerId])
  await auction.write((tx) => eraseTask.work({ house: auction.server.house, tx, at: instantAt(Date.now()), data: {} }))
  const [gone] = await sql('select name, applicant_name, phone, images, cert_no from rent.bidder where id = $1', [bidderId])
  expect(gone).toMatchObject({ name: Said.erased, applicantName: Said.erased, phone: expect.stringMatching(/^000/), images: '' })
  expect(gone.certNo).not.toBe(certNo)
  expect(await sql('select applicant_name from rent.enrollment where id = $1', [enrolId])).toEqual([{ applicantName: Said.erased }])
})

test('what is handed out to an owner has what they told the service desk by their telephone; erased, no name, number or picture stays there', async () => {
  const { sql } = auction
  const ask = (path: string, body: object) => auction.server.ask(auction.admin, 'POST', `/lbs${path}`, body) as Promise<any>
  const [phone, contactName] = ['13900009999', '李女士']
  const { data: owner } = await ask('/custom/owner/account/register', { phone, nickname: '李' })
  const images = '/lbs/basic/sysFile/download?fileName=a.png'
  const said = { source: 1, contactName, parkCode: 'R001', images }
  const content = `${contactName}要求退款，电话 ${phone}`
  const { data: order } = await ask('/basic/workOrder/add', { ...said, title: `${contactName}退款`, type: 3, level: 2, content, contact: phone })
  const { data: feedback } = await ask('/basic/sysSuggest/add', { ...said, kind: 1, content, phone })
  const others = (await ask('/custom/owner/account/export', { ownerId: owner.ownerId })).data.others
  expect(others).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ of: 'after_sale.work_order', order_no: order.orderNo, content }),
      expect.objectContaining({ of: 'after_sale.suggestion', suggest_no: feedback.suggestNo, contact_name: contactName }),
    ]),
  )
  expect((await ask('/custom/owner/account/erase', { ownerId: owner.ownerId, version: owner.version })).status).toBe(200)
  await sql(`update owner.account set erase_at = now() - interval '1 minute' where id = $1`, [owner.ownerId])
  await auction.write((tx) => eraseTask.work({ house: auction.server.house, tx, at: instantAt(Date.now()), data: {} }))
  const rows = [
    ...(await sql('select title, content, contact_name, contact, images from after_sale.work_order where id = $1', [order.id])),
    ...(await sql(`select '' as title, content, contact_name, phone as contact, images from after_sale.suggestion where id = $1`, [feedback.id])),
  ]
  const gone = { contactName: Said.erased, contact: `000${owner.ownerId.slice(-8)}`, images: null }
  expect(rows).toMatchObject([{ ...gone, title: `${Said.erased}退款` }, gone])
  expect(JSON.stringify(rows)).not.toMatch(/李女士|13900009999/)
})
