import { randomUUID } from 'node:crypto'
import { DataScope } from '../domains/identity/contract/role.ts'
import { digestOf, hashed } from '../domains/identity/server/api.ts'
import { roadStay } from '../domains/roadside/contract/roadStay.ts'
import { shift } from '../domains/settlement/contract/shift.ts'
import { attendance, CardKind } from '../domains/staff/contract/attendance.ts'
import { toll, TollType } from '../domains/staff/contract/collector.ts'
import { SessionStatus } from '../domains/parking/contract/stay.ts'
import type { Fen } from '../platform/contract/field.ts'
import { SEES_PLATES } from '../platform/contract/personal.ts'
import { run } from '../platform/server/database.ts'
import type { House } from '../platform/server/domain.ts'
import { type Client, Refused, signIn } from './client.ts'
import type { PlannedDistrict } from './streets.ts'

/** Collectors on the streets of the first district, with a handheld and an account of their own. */
export const STREET_COLLECTOR = { username: 'collector', name: '何秋菊', tollNo: 'L001', phone: '16007101301' }
const SCREENS = ['/operation/record/roadParking/%', '/assetManage/person/till']
/** On the screens of the street, and the till, the card and the day's log. */
const MAY = [SEES_PLATES, 'roadside:stay:collect', 'roadside:stay:correct', 'settlement:order:cash', 'staff:card:add', 'staff:log:write']
const OPENING_FLOAT_FEN = 20_000 as Fen
/** Cars that are collected from before the demo is looked at. */
const COLLECTED = 2

/** The administrator takes the collector on; who then cards in, opens the till and collects from the first cars, as on any day. */
export async function addStreetWork(
  house: House,
  enterprise: number,
  admin: Client,
  url: string,
  password: string,
  { parkCode, lng, lat }: PlannedDistrict,
) {
  const { username, ...one } = STREET_COLLECTOR
  const personId = await account(house, enterprise, password, parkCode)
  await admin.ask(toll.save, { ...one, tollType: TollType.roadside, parkCode, personId: personId as never })
  const client = await signIn(url, username, password)
  await client.ask(attendance.card, { mid: randomUUID(), kind: CardKind.in, lng, lat })
  await client.ask(shift.open, { openingFloatFen: OPENING_FLOAT_FEN })
  await collects(client, parkCode)
}

/** Cash from cars that stand there and have something to pay. What falls due between the bill and the money is another car's turn. */
async function collects(client: Client, parkCode: string): Promise<void> {
  const { records } = await client.ask(roadStay.present, { parkCode, status: [SessionStatus.present] })
  let left = COLLECTED
  for (const { id, version, plateNo } of records) {
    if (left === 0) return
    if (plateNo === null) continue
    const bill = await client.ask(roadStay.bill, { id, version })
    if (!bill.orderId || bill.dueFen === 0) continue
    const taken = await client.ask(roadStay.collect, { id, version: bill.version, amountFen: bill.dueFen }).catch((error: Error) => {
      if (!(error instanceof Refused && error.status === 409)) throw error
    })
    if (taken) left--
  }
}

/** Made as administrators make people and roles, with the password of the demo. */
async function account(house: House, enterprise: number, password: string, parkCode: string): Promise<string> {
  const { username, name } = STREET_COLLECTOR
  const hash = await hashed(digestOf(username, password))
  return house.writing(enterprise, 'city.collector', async (tx) => {
    const said = async (sql: string, values: unknown[]) => run<{ id: string }>(tx, { sql }, values)
    const [role] = await said(ROLE, [DataScope.parks, [parkCode]])
    await said(
      `insert into identity.role_resource (role_id, resource_id) select $1, id from identity.resource where url like any ($2) and not retired`,
      [role!.id, SCREENS],
    )
    await said(
      `insert into identity.role_button (role_id, button_id) select $1, id from identity.button where capability = any ($2) and not retired`,
      [role!.id, MAY],
    )
    const [person] = await said(
      `insert into identity.person (username, name, password_hash, must_change, demo) values ($1, $2, $3, false, true) returning id`,
      [username, name, hash],
    )
    await said('insert into identity.person_role (person_id, role_id) values ($1, $2)', [person!.id, role!.id])
    return person!.id
  })
}
const ROLE = `insert into identity.role (name, remark, data_scope, parks) values ('路内收费员', '路内登记、补录车牌与收费，打卡与开班', $1, $2) returning id`
