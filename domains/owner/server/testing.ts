import { aTill, insisting, now, type Till } from '../../settlement/server/testing.ts'
import { openOrder, type OrderRow } from '../../settlement/server/api.ts'
import { run } from '../../../platform/server/database.ts'
import { erase } from './account.ts'
import { bindCar } from './car.ts'
import { register } from './owner.ts'
import { pursesOf, spend } from './spend.ts'
import { accountPurse } from './purse.ts'

export { erase } from './account.ts'
export { now, until } from '../../settlement/server/testing.ts'
let owners = 0
let plates = 0
export const aPhone = () => `139${String(++owners).padStart(8, '0')}`
export const aPlate = () => `鄂F${String(10_000 + ++plates)}`

export interface Garage extends Till {
  /** Two more people who may do everything. */
  second: string
  third: string
  custom(path: string, body: object, token?: string): Promise<any>
  business(path: string, body: object, token?: string): Promise<any>
  anOwner(nickname?: string): Promise<{ ownerId: string; phone: string }>
  recharge(ownerId: string, payFen: number): Promise<any>
  /** A verified car of an owner, with automatic debit where it is asked for. */
  aCar(ownerId: string, more?: { autoDebit?: boolean; plateNo?: string }): Promise<{ id: string; plateNo: string }>
  /** Pays a parking order of a car out of its purses. */
  spends(plateNo: string, fen: number, parkCode?: string): Promise<OrderRow>
  /** Returns the balance, the bonus and the frozen sum of an owner's account. */
  stands(ownerId: string): Promise<{ principalFen: number; bonusFen: number; frozenFen: number }>
  /** The seven days of somebody who asked to be erased are over. */
  erased(ownerId: string): Promise<void>
  /** Every purse against the ledger: those that differ. */
  differing(): Promise<unknown[]>
  sql<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>
}

/** The real product, with what a test of owners needs to say. A test with a product running already gives its till. */
export async function aGarage(given?: Till): Promise<Garage> {
  const till = given ?? (await aTill())
  const { server, admin } = till
  const sql: Garage['sql'] = (text, values = []) => server.house.writing(1, 'test', (tx) => run(tx, { sql: text }, [...values]))
  const asked =
    (service: string) =>
    (path: string, body: object, token: string = admin) =>
      server.ask(token, 'POST', `/lbs/${service}${path}`, body)
  const custom = asked('custom')
  const [second, third] = [await another(till, 'reviewer1'), await another(till, 'reviewer2')]
  return {
    ...till,
    sql,
    custom,
    business: asked('business'),
    second,
    third,
    async anOwner(nickname = '车主') {
      const phone = aPhone()
      const { id } = await server.house.writing(1, 'test', (tx) => register(tx, { phone, nickname, at: now() }))
      return { ownerId: id, phone }
    },
    recharge: (ownerId, payFen) => custom('/owner/account/recharge', { ownerId, payFen, payMethod: 4 }),
    aCar: (ownerId, { autoDebit = false, plateNo = aPlate() } = {}) =>
      server.house.writing(1, 'test', async (tx) => {
        const { id } = await bindCar(tx, { ownerId, plateNo, at: now() })
        await run(tx, { sql: 'update owner.car set verify_state = 1, auto_debit = $2 where id = $1' }, [id, autoDebit])
        return { id, plateNo }
      }),
    spends: (plateNo, fen, parkCode = 'P001') =>
      insisting(() =>
        server.house.writing(1, 'test', async (tx) => {
          const order = await openOrder(tx, { type: 1, plateNo, plateColor: 0, parkCode, receivableFen: fen, at: now() })
          return spend(tx, { orderId: order.id, purseIds: await pursesOf(tx, { plateNo, plateColor: 0 }, parkCode, false), at: now() })
        }),
      ),
    stands: (ownerId) =>
      server.house.writing(1, 'test', async (tx) => {
        const [row] = await run<any>(
          tx,
          { sql: 'select principal_fen, bonus_fen, frozen_principal_fen + frozen_bonus_fen as frozen_fen from owner.purse where id = $1' },
          [await accountPurse(tx, ownerId)],
        )
        return { principalFen: Number(row.principalFen), bonusFen: Number(row.bonusFen), frozenFen: Number(row.frozenFen) }
      }),
    async erased(ownerId) {
      await sql(`update owner.account set erase_at = now() - interval '1 minute' where id = $1`, [ownerId])
      await server.house.writing(1, 'test', (tx) => erase.work({ house: server.house, tx, at: now(), data: {} }))
    },
    differing: () => sql(DIFFERING),
  }
}
/** Each purse by its row, its movements, and the ledger. */
const DIFFERING = `select p.id, p.principal_fen, l.principal_fen as ledger_principal, p.bonus_fen, l.bonus_fen as ledger_bonus, m.principal_fen as moved_principal, m.bonus_fen as moved_bonus, m.frozen_fen from owner.purse p
  left join lateral (select coalesce(sum(credit_fen - debit_fen) filter (where account = 'liability.stored'), 0) as principal_fen, coalesce(sum(credit_fen - debit_fen) filter (where account = 'liability.stored-bonus'), 0) as bonus_fen
    from ledger.balance b where b.enterprise_id = p.enterprise_id and b.sub = p.id::text) l on true
  left join lateral (select coalesce(sum(principal_fen), 0) as principal_fen, coalesce(sum(bonus_fen), 0) as bonus_fen, coalesce(sum(frozen_fen), 0) as frozen_fen from owner.movement m where m.enterprise_id = p.enterprise_id and m.purse_id = p.id) m on true
  where p.enterprise_id = scope_enterprise() and (p.principal_fen <> l.principal_fen or p.bonus_fen <> l.bonus_fen or m.principal_fen <> p.principal_fen or m.bonus_fen <> p.bonus_fen or m.frozen_fen <> p.frozen_principal_fen + p.frozen_bonus_fen)`

/** Somebody who may do what the administrator may. */
async function another({ server }: Till, username: string): Promise<string> {
  const admin = await server.signIn('admin')
  const roles = await server.house.writing(1, 'test', (tx) =>
    run<{ roleId: string }>(
      tx,
      { sql: `select role_id from identity.person_role r join identity.person p on p.id = r.person_id where p.username = 'admin'` },
      [],
    ),
  )
  const { data, code } = await server.ask<any>(admin, 'POST', '/lbs/custom/person/add', {
    username,
    name: username,
    roleIds: roles.map(({ roleId }) => roleId),
  })
  if (code !== 200) throw new Error(`${username}: ${code}`)
  await server.house.writing(1, 'test', (tx) => tx.updateTable('identity.person').set({ mustChange: false }).where('id', '=', data.id).execute())
  return server.signIn(username, data.password)
}

const NOBODYS = 'x'.repeat(22)
/** The way in for drivers, with text messages that a test reads before anybody brings them out. */
export interface Door {
  code(phone: string, more?: object): Promise<any>
  /** The last code that was sent to a telephone. */
  told(phone: string): Promise<string>
  /** With what came when the last code of that telephone was asked for here. */
  enter(phone: string, code: string, headers?: Record<string, string>, nonce?: string): Promise<any>
  /** A driver who has come in: the token. */
  comes(phone: string): Promise<string>
  mine(token: string | null, path: string, body?: object): Promise<any>
}
export async function aDoor({ server, admin, sql }: Pick<Garage, 'server' | 'admin' | 'sql'>): Promise<Door> {
  const ask = (method: string, path: string, body: object) => server.ask(admin, method, `/lbs/message/${path}`, body)
  await ask('POST', 'messageChannel/insert', {
    name: '短信',
    type: 2,
    url: 'https://sms.example/send',
    account: 'kerbline',
    secret: 'x'.repeat(32),
    ratePerSec: 100,
  })
  const vars = [{ name: 'code', label: '验证码', sample: '384920' }]
  const template = { code: 'login.code', name: '验证码', kind: 5, channelType: 2, title: '验证码', content: '验证码 {{code}}，5分钟内有效', vars }
  const { data: draft } = await ask('POST', 'messageTemplate/insert', template)
  await ask('PUT', 'messageTemplate/update', { id: draft.id, version: draft.version, state: 1 })
  const told: Door['told'] = async (phone) => {
    const [last] = await sql<{ content: string }>('select content from message.record where address = $1 order by created_at desc, id desc limit 1', [
      phone,
    ])
    return /\d{6}/.exec(last!.content)![0]
  }
  const open = (path: string, body: object, headers?: Record<string, string>) =>
    server.ask<any>(null, 'POST', `/lbs/custom/owner/door/${path}`, { enterpriseId: 1, ...body }, headers)
  const nonces = new Map<string, string>()
  const code: Door['code'] = async (phone, more = {}) => {
    const answer = await open('code', { phone, ...more })
    if (answer.status === 200) nonces.set(phone, answer.data.nonce)
    return answer
  }
  const enter: Door['enter'] = (phone, typed, headers, nonce = nonces.get(phone) ?? NOBODYS) => open('signIn', { phone, code: typed, nonce }, headers)
  return {
    code,
    told,
    enter,
    async comes(phone) {
      await code(phone)
      return (await enter(phone, await told(phone))).data.access_token
    },
    mine: (token, path, body = {}) => server.ask(token, 'POST', `/lbs/custom/owner/mine/${path}`, body),
  }
}
