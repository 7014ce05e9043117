import { randomUUID } from 'node:crypto'
import { run } from '../../../platform/server/database.ts'
import { aGround, type Ground } from '../../parking/server/testing.ts'

let plates = 0
/** A plate of its own, so that no test meets another's passes. */
export const aPlate = () => `鄂B${String(++plates).padStart(5, '0')}`
let phones = 0
export const aPhone = () => `139${String(++phones).padStart(8, '0')}`

export interface Office extends Ground {
  /** Calls of the member service as the administrator, unless another token is given. */
  call(path: string, body?: object, token?: string): Promise<any>
  get(path: string, query?: object): Promise<any>
  sql<Row = any>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  /** A kind of pass in parks of its own (or those given), sold by one plan. */
  aGroup(of?: { parks?: string[]; group?: object; plan?: object }): Promise<{ group: any; plan: any }>
  aCustomer(more?: object): Promise<string>
  /** A pass that was sold for cash. */
  aPass(
    made: { group: any; plan: any },
    more?: { memberId?: string; plates?: string[]; periods?: number; payableFen?: number; startAt?: string; seats?: number },
  ): Promise<any>
  pass(id: string): Promise<any>
  /** Somebody who may approve what the administrator asked for. */
  checker: string
}

export async function anOffice(): Promise<Office> {
  const ground = await aGround()
  const sql: Office['sql'] = (text, values = []) => ground.server.house.writing(1, 'test', (tx) => run<any>(tx, { sql: text }, [...values]))
  const call: Office['call'] = (path, body = {}, token = ground.admin) => ground.ask(token, `/member/member${path}`, body)
  const get: Office['get'] = (path, query = {}) => ground.ask(ground.admin, `/member/member${path}`, query, 'GET')
  const done = async (path: string, body: object) => {
    const answer = await call(path, body)
    if (answer.code !== 200) throw new Error(`${path}: ${answer.code} ${answer.message}`)
    return answer.data
  }
  const pass: Office['pass'] = async (id) => (await sql('select * from member.held where id = $1', [id]))[0]
  const made = (await ground.ask(ground.admin, '/custom/person/add', { username: 'checker', name: '复核', roleIds: await wholeRoles(sql) })).data
  await sql('update identity.person set must_change = false where id = $1', [made.id])
  let groups = 0
  return {
    ...ground,
    sql,
    call,
    get,
    pass,
    checker: await ground.server.signIn('checker', made.password),
    async aGroup({ parks, group = {}, plan = {} } = {}) {
      const parkCodes = parks ?? [(await ground.field()).parkCode]
      const n = ++groups
      const sold = await done('/config/carFeesRole/insert', {
        name: `套餐${n}`,
        priceFen: 30_000,
        periodUnit: 2,
        periodCount: 1,
        validType: 2,
        timeWindow: 1,
        ...plan,
      })
      const kind = await done('/config/memberGroup/insertMemberGroup', { name: `分组${n}`, type: 1, parkCodes, ...group })
      return { group: await done('/config/memberGroup/configCarFeesRule', { groupId: kind.id, carFeesIds: [sold.id] }), plan: sold }
    },
    aCustomer: async (more = {}) => (await done('/custom/insertMember', { name: '李四', phone: aPhone(), ...more })).id,
    async aPass({ group, plan }, { memberId, plates = [aPlate()], periods = 1, payableFen, startAt, seats = 1 } = {}) {
      const asked = { groupId: group.id, carFeesId: plan.id, periods, seats, ...(startAt && { startAt }) }
      const quoted = payableFen ?? (await done('/pass/quote', { act: 1, ...asked })).payableFen
      const who = memberId ?? (await done('/custom/insertMember', { name: `客户${randomUUID().slice(0, 4)}`, phone: aPhone() })).id
      const { passId } = await done('/pass/sell', {
        memberId: who,
        ...asked,
        plates: plates.map((plateNo) => ({ plateNo })),
        payableFen: quoted,
        payMethod: 4,
      })
      return pass(passId)
    },
  }
}
const wholeRoles = async (sql: Office['sql']): Promise<string[]> =>
  (await sql('select id from identity.role where enterprise_id = 1 and grants = 2 limit 1')).map(({ id }) => id)
