import { aGate, aPark, aRule, barrier, reads } from '../../parking/server/testing.ts'
import { Direction } from '../../parking/contract/gate.ts'
import { aTill, type Till } from '../../settlement/server/testing.ts'
import type { Instant } from '../../../platform/contract/field.ts'
import { instantAt } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { register } from '../../owner/server/api.ts'
import { payCash } from '../../settlement/server/api.ts'
import { hearEntered, hearLeft, tick } from './life.ts'

const MINUTE = 60_000
const ALWAYS = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' }))
let made = 0

export interface Lot extends Till {
  post(path: string, input?: object, token?: string): Promise<any>
  get(path: string, input?: object, token?: string): Promise<any>
  sql<Row = any>(text: string, values?: readonly unknown[]): Promise<Row[]>
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Minutes from now. */
  at(minutes: number): Instant
  /** A park with lanes that is open to sharing: 6 yuan an hour, 30 at most, ten minutes of grace, half as much again beyond the end. */
  aSharedPark(terms?: object): Promise<{ parkCode: string; feesId: string }>
  /** A driver who is known here; their id. */
  anOwner(): Promise<string>
  anOffer(parkCode: string, more?: object): Promise<any>
  /** A bay that an owner lets, approved. */
  ofOwner(parkCode: string, ownerId: string, splitPermille?: number): Promise<any>
  books(offerId: string, more?: object): Promise<any>
  /** Booked, and paid at the counter. */
  booked(offerId: string, more?: object): Promise<any>
  booking(id: string): Promise<any>
  enters(parkCode: string, plate: string, minutes: number): Promise<void>
  leaves(parkCode: string, plate: string, minutes: number): Promise<void>
  tick(minutes: number): Promise<void>
  account(account: string, sub?: string): Promise<number>
}
let plates = 0
export const aPlate = () => `鄂B${String(++plates).padStart(5, '0')}`
/** Of somebody new: defaults are counted by telephone. */
const aPhone = () => `139${String(++plates).padStart(8, '0')}`

/** The real product, a channel, and what a test of sharing needs to say. Time is moved by the test: nothing but it calls the tick. */
export async function aLot(): Promise<Lot> {
  const till = await aTill({ role: 'web' })
  const { server, admin } = till
  const write: Lot['write'] = (work) => server.house.writing(1, 'test', work)
  const sql: Lot['sql'] = (text, values = []) => write((tx) => run(tx, { sql: text }, [...values]))
  const post: Lot['post'] = (path, input = {}, token = admin) => server.ask(token, 'POST', `/lbs/business${path}`, input)
  const get: Lot['get'] = (path, input = {}, token = admin) => server.ask(token, 'GET', `/lbs/business${path}`, input)
  const start = Date.now()
  const at: Lot['at'] = (minutes) => instantAt(Math.round(start + minutes * MINUTE))
  const booking: Lot['booking'] = async (id) => (await sql('select * from share.booking_line where id = $1', [id]))[0]
  const books: Lot['books'] = (offerId, more = {}) =>
    post('/share/orderBook', { offerId, kind: 1, plateNo: aPlate(), phone: aPhone(), startAt: at(30), endAt: at(90), ...more })
  const last = async (parkCode: string, plate: string) =>
    (
      await sql<{ id: string }>('select id from parking.stay where park_code = $1 and plate_no = $2 order by created_at desc limit 1', [
        parkCode,
        plate,
      ])
    )[0]!
  const anOffer: Lot['anOffer'] = async (parkCode, more = {}) =>
    (await post('/share/offerInsert', { parkCode, seatNo: `A${++made}`, windows: ALWAYS, ...more })).data
  return {
    ...till,
    post,
    get,
    sql,
    write,
    at,
    books,
    booking,
    anOffer,
    async aSharedPark(terms = {}) {
      const parkCode = `S${String(++made).padStart(3, '0')}`
      await write(async (tx) => {
        await aPark(tx, { parkCode })
        await aGate(tx, { parkCode, gateCode: `${parkCode}-G01`, direction: Direction.entrance, sn: `PG-${parkCode}-1` })
        await aGate(tx, { parkCode, gateCode: `${parkCode}-G02`, direction: Direction.exit, sn: `PG-${parkCode}-2` })
        await aRule(tx, { parkCode })
      })
      await post('/share/insertShareFees', {
        name: '时租',
        parkCode,
        kind: 1,
        priceFen: 600,
        capFen: 3000,
        graceMin: 10,
        overtimePermille: 1500,
        cancelFreeMin: 60,
        splitPermille: 600,
        ...terms,
      })
      await post('/share/insertShareFees', {
        name: '月卡',
        parkCode,
        kind: 2,
        priceFen: 30_000,
        graceMin: 10,
        overtimePermille: 1500,
        cancelFreeMin: 60,
        splitPermille: 600,
      })
      const { records } = (await post('/share/queryShareFeesRoleInfo', { parkCode, kind: 1 })).data
      await post('/share/updateShareParking', { parkCode, status: 1, feesId: records[0].id, maxBays: 20 })
      return { parkCode, feesId: records[0].id }
    },
    async anOwner() {
      const phone = `138${String(++made).padStart(8, '0')}`
      return (await write((tx) => register(tx, { phone, nickname: '业主', at: at(0) }))).id
    },
    async ofOwner(parkCode, ownerId, splitPermille = 600) {
      const offer = await anOffer(parkCode, { ownerId, ownerName: '业主', phone: '13700001111', proof: '/lbs/file/p.png', splitPermille })
      await get('/share/updateShareMemberState', { id: offer.id, state: 1 })
      return offer
    },
    async booked(offerId, more = {}) {
      const { data } = await books(offerId, more)
      await write((tx) =>
        payCash(tx, { orderId: data.orderId, amountFen: data.prepaidFen, actor: { userId: data.id, userName: '收费员' }, at: at(0) }),
      )
      return booking(data.id)
    },
    async enters(parkCode, plate, minutes) {
      await write((tx) => reads(tx, { sn: `PG-${parkCode}-1`, plate, at: at(minutes) }))
      const { id } = await last(parkCode, plate)
      await write((tx) => hearEntered(tx, { stayId: id, parkCode, plateNo: plate }, at(minutes)))
    },
    async leaves(parkCode, plate, minutes) {
      await write((tx) => reads(tx, { sn: `PG-${parkCode}-2`, plate, at: at(minutes) }))
      await write((tx) => barrier(tx, { sn: `PG-${parkCode}-2`, state: 'opened', at: at(minutes) }))
      await write((tx) => barrier(tx, { sn: `PG-${parkCode}-2`, state: 'closed', passed: true, at: at(minutes) }))
      const { id } = await last(parkCode, plate)
      await write((tx) => hearLeft(tx, { stayId: id, parkCode, plateNo: plate }, at(minutes)))
    },
    tick: (minutes) => write((tx) => tick(tx, at(minutes))),
    async account(account, sub) {
      const [row] = await sql<{ fen: number }>(
        `select coalesce(sum(credit_fen - debit_fen), 0)::bigint as fen from ledger.balance where enterprise_id = 1 and account = $1 and ($2::text is null or sub = $2)`,
        [account, sub ?? null],
      )
      return Number(row!.fen)
    },
  }
}
