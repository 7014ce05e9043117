import pg from 'pg'
import type { Instant } from '../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { digestOf, PASSWORD } from '../../../tests/support/server.ts'
import { hashed } from '../../identity/server/api.ts'
import { openSession, register } from '../../owner/server/api.ts'
import { aPark } from '../../parking/server/testing.ts'
import { aTill, type Till } from '../../settlement/server/testing.ts'
import { watchProjects } from './clock.ts'
import { dropLater } from './earnest.ts'

let made = 0
export const EVIDENCE = [{ name: '现场.png', url: '/lbs/file?fileName=a.png', bytes: 10 }]
const papers = () => `9142${String(++made).padStart(10, '0')}X`

export interface Auction extends Till {
  deputy: string
  post(path: string, input?: object, token?: string): Promise<any>
  sql<Row = any>(text: string, values?: readonly unknown[]): Promise<Row[]>
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  tick(at: Instant): Promise<void>
  /** The jobs that drop orders nobody need pay any more are done. */
  dropped(): Promise<void>
  account(account: string, sub?: string): Promise<number>
  /** A session of the account that a bidder has. */
  tokenOf(bidderId: string): Promise<string>
  aBidder(): Promise<{ id: string; name: string; token: string }>
  /** Announced, and enrolling by now. */
  enrolling(more?: object): Promise<any>
  project(id: string): Promise<any>
  enrolment(id: string): Promise<any>
  /** Enrolled, paid and found to be qualified. */
  qualified(projectId: string): Promise<{ id: string; token: string; bidderId: string }>
  /** Its times moved, so that bidding is open and ends in so many seconds. */
  open(projectId: string, endsInS: number): Promise<void>
  /** Won by the second of two, and drawn up by the administrator: by the month, since five days ago, with a deposit. */
  drawn(): Promise<{ id: string; projectId: string; enrollId: string; bidderId: string }>
  /** Signed by both. */
  leased(): ReturnType<Auction['drawn']>
  bills(leaseId: string): Promise<any[]>
  /** Approved by as many as it needs, and paid out at the administrator's till. */
  payOut(refundId: string): Promise<void>
  close(): Promise<void>
}

/** The real product with something to let in it. Time is moved by the test: nothing but it calls the tick. */
export async function anAuction({ role = 'web' }: { role?: 'web' | 'all' } = {}): Promise<Auction> {
  const till = await aTill({ role })
  const { server, admin } = till
  const write: Auction['write'] = (work) => server.house.writing(1, 'test', work)
  const sql: Auction['sql'] = (text, values = []) => write((tx) => run(tx, { sql: text }, [...values]))
  await sql(`insert into identity.person (enterprise_id, username, name, password_hash, must_change) values (1, 'deputy', '副主管', $1, false)`, [
    await hashed(digestOf('deputy', PASSWORD)),
  ])
  await sql(
    `insert into identity.person_role (enterprise_id, person_id, role_id) select 1, d.id, r.role_id from identity.person d, identity.person_role r join identity.person a on a.id = r.person_id where d.username = 'deputy' and a.username = 'admin'`,
  )
  const deputy = await server.signIn('deputy')
  await write((tx) => aPark(tx, { parkCode: 'R001' }))
  const post: Auction['post'] = (path, input = {}, token = admin) => server.ask(token, 'POST', `/lbs/business${path}`, input)
  const enrolment: Auction['enrolment'] = async (id) => (await sql('select * from rent.enroll_line where id = $1', [id]))[0]
  const project: Auction['project'] = async (id) => (await post('/rentProject/one', { id })).data
  const tick: Auction['tick'] = (at) => write((tx) => watchProjects(tx, at, server.house.log))
  const dropped: Auction['dropped'] = async () => {
    const owner = new pg.Client({ connectionString: server.ownerUrl })
    await owner.connect()
    const { rows } = await owner.query(
      `with gone as (delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t where t.id = j.task_id and t.identifier = $1 returning j.id, j.payload)
       select payload -> 'data' as data from gone order by id`,
      [dropLater.name],
    )
    await owner.end()
    for (const { data } of rows) await write((tx) => dropLater.work({ house: server.house, tx, data, at: instantAt(Date.now()) }))
  }
  const aBidder: Auction['aBidder'] = async () => {
    const name = `襄城商贸${++made}`
    const { id } = (await post('/rentUser/apply', { userType: 2, name, certNo: papers(), phone: '13900003333', images: '/lbs/file?fileName=a.png' }))
      .data
    const phone = `135${String(made).padStart(8, '0')}`
    const token = await write(async (tx) => {
      const owner = await register(tx, { phone, nickname: '竞', at: instantAt(Date.now()) })
      await run(tx, { sql: 'update rent.bidder set owner_id = $2 where id = $1' }, [id, owner.id])
      return openSession(tx, owner.id, '127.0.0.1', instantAt(Date.now()))
    })
    await post('/rentUser/audit', { id, version: 1, state: 1 }, deputy)
    return { id, name, token }
  }
  const qualified: Auction['qualified'] = async (projectId) => {
    const bidder = await aBidder()
    const { id } = (await post('/rentEnroll/apply', { projectId, bidderId: bidder.id })).data
    await post('/rentEnroll/pay', { id, payMethod: 4, amountFen: 200_000 })
    await post('/rentEnroll/audit', { id, version: (await enrolment(id)).version, state: 1 }, deputy)
    return { id, token: bidder.token, bidderId: bidder.id }
  }
  const auction: Auction = {
    ...till,
    deputy,
    post,
    sql,
    write,
    enrolment,
    aBidder,
    qualified,
    project,
    tick,
    dropped,
    async account(account, sub) {
      const [row] = await sql<{ fen: number }>(
        `select coalesce(sum(credit_fen - debit_fen), 0)::bigint as fen from ledger.balance where enterprise_id = 1 and account = $1 and ($2::text is null or sub = $2)`,
        [account, sub ?? null],
      )
      return Number(row!.fen)
    },
    async enrolling(more = {}) {
      const day = (days: number) => instantAt(Date.now() + days * DAY_MS)
      const terms = {
        name: `临街商铺${++made}`,
        type: 2,
        parkCode: 'R001',
        assets: '汉江路 12 号 86 ㎡',
        baseFen: 1_000_000,
        stepFen: 10_000,
        earnestFen: 200_000,
        leaseMonths: 36,
        minBidders: 2,
      }
      const added = (await post('/rentProject/add', { ...terms, enrollFrom: day(-1), enrollTo: day(40), bidFrom: day(41), bidTo: day(42), ...more }))
        .data
      const told = (await post('/rentNotices/add', { projectId: added.id, type: 1, title: '招租', content: '公开招租' })).data
      await post('/rentNotices/publish', { id: told.id, version: told.version }, deputy)
      return project(added.id)
    },
    async drawn() {
      const { id: projectId } = await auction.enrolling()
      const [first, second] = [await qualified(projectId), await qualified(projectId)]
      await auction.open(projectId, 1_000)
      for (const [{ token }, bidFen] of [
        [first, 1_000_000],
        [second, 1_020_000],
      ] as const)
        await till.call(token, '/rentBid/place', { projectId, bidFen })
      await sql(`update rent.project set bid_to = now() - interval '1 minute', ends_at = now() - interval '1 minute' where id = $1`, [projectId])
      await tick(instantAt(Date.now()))
      await post('/rentProject/bidding', { projectId, enrollId: second.id }, deputy)
      await sql(`update rent.project set public_until = current_date - 1 where id = $1`, [projectId])
      const fromDay = dayOf(instantAt(Date.now() - 5 * DAY_MS))
      const { id } = (await post('/rentContract/add', { projectId, fromDay, cycle: 1, depositFen: 40_000 })).data
      return { id, projectId, enrollId: second.id, bidderId: second.bidderId }
    },
    async leased() {
      const lease = await auction.drawn()
      await post('/rentContract/sign', { id: lease.id, version: 1, party: 1 }, deputy)
      await post('/rentContract/sign', { id: lease.id, version: 2, party: 2, files: EVIDENCE })
      return lease
    },
    async tokenOf(bidderId) {
      const [{ ownerId }] = (await sql<{ ownerId: string }>('select owner_id from rent.bidder where id = $1', [bidderId])) as [{ ownerId: string }]
      return write((tx) => openSession(tx, ownerId, '127.0.0.1', instantAt(Date.now())))
    },
    bills: async (contractId) => (await post('/rentBill/query', { contractId })).data.records,
    async payOut(id) {
      const refund = async () => (await sql('select id, version, state from settlement.refund where id = $1', [id]))[0]
      for (const token of [admin, deputy]) {
        const { version, state } = await refund()
        if (state === 0) await post('/orderRefund/approve', { id, version }, token)
      }
      await post('/orderRefund/payOut', { id, version: (await refund()).version })
    },
    async open(projectId, endsInS) {
      await sql(
        `update rent.project set enroll_from = now() - interval '3 days', enroll_to = now() - interval '2 days', bid_from = now() - interval '1 day', bid_to = now() + $2 * interval '1 second', ends_at = now() + $2 * interval '1 second' where id = $1`,
        [projectId, endsInS],
      )
      await tick(instantAt(Date.now()))
    },
  }
  return auction
}
