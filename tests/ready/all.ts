import { existsSync } from 'node:fs'
import path from 'node:path'
import { randomUUID } from 'node:crypto'
import type { Call } from '../../platform/contract/call.ts'
import { inputFor, type Victim, victimOf } from '../matrix/inputs.ts'
import { domainNames, type World } from '../matrix/world.ts'
import { AS, bearer, type Factories, type Maker, makerIn } from './maker.ts'

/**
 * Things in the very state that a call asks for: an open order, a refund that waits for its approval, a draft of a tariff. What a schema alone cannot know;
 * a call without a factory takes any row of its noun. Each domain's stand in the file of its name beside this one, which exports `ready`.
 */
export async function readyIn(world: World, parkCode = 'P001'): Promise<Factories> {
  const maker = await makerIn(world, parkCode)
  return Object.assign({}, ...(await Promise.all(domainNames.filter(hasFile).map((name) => ofDomain(name, maker))))) as Factories
}
const hasFile = (domain: string) => existsSync(path.join(import.meta.dirname, `${domain}.ts`))
const ofDomain = async (domain: string, maker: Maker) =>
  ((await import(/* @vite-ignore */ path.join(import.meta.dirname, `${domain}.ts`))) as { ready(maker: Maker): Factories }).ready(maker)

/** One request that would succeed, and who may make it. */
export interface Request {
  input: Record<string, unknown>
  authorization: string
}
export async function requestFor(
  world: World,
  made: Factories,
  call: Call<any, any>,
  { optional = false, parkCode = 'P003' } = {},
): Promise<Request> {
  const ready = await made[call.id]?.()
  const input = { ...inputFor(call, await sacrificial(world, parkCode), { optional: !ready && optional }), ...ready }
  return { input, authorization: ready?.[AS] ?? bearer(world.tokens.admin) }
}

/** Rows that may be lost: a person, a role and a session that nobody else in the test needs. */
export async function sacrificial(world: World, parkCode: string): Promise<Victim> {
  const victim = await victimOf(world.owner, 1, parkCode)
  const one = async (sql: string) => (await world.owner.query<{ id: string; version: number }>(sql)).rows[0]!
  const person = await one(`insert into identity.person (enterprise_id, username, name, password_hash, must_change)
    select 1, 's-' || left(md5(random()::text), 8), 'sacrificed', password_hash, false from identity.person where username = 'admin' returning id, version`)
  const role = await one(`insert into identity.role (enterprise_id, name) values (1, 'role ${randomUUID().slice(0, 8)}') returning id, version`)
  const session =
    await one(`insert into identity.session select (jsonb_populate_record(s, jsonb_build_object('id', uuidv7(), 'person_id', '${person.id}', 'token_hash', '\\x' || md5(random()::text)))).*
    from identity.session s where ended_at is null and enterprise_id = 1 limit 1 returning id, 1 as version`)
  return {
    rows: new Map([...victim.rows, ['identity.person', person], ['identity.role', role], ['identity.session', session]]),
    fields: { ...victim.fields, custId: person.id, roleIds: [role.id] },
  }
}
