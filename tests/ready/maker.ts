import { randomBytes, randomUUID } from 'node:crypto'
import { hashed } from '../../domains/identity/server/signIn/password.ts'
import type { Instant } from '../../platform/contract/field.ts'
import type { Tx } from '../../platform/server/database.ts'
import { inputFor, victimOf } from '../matrix/inputs.ts'
import { calls, type World } from '../matrix/world.ts'
import { digestOf, PASSWORD } from '../support/server.ts'

/** In a factory's input: who asks, where it is not the administrator. No name of a call's own, and no part of what is sent. */
export const AS: unique symbol = Symbol('as')
export type Fields = Record<string, unknown> & { [AS]?: string }
export type Factories = Record<string, () => Promise<Fields>>
export type Maker = Awaited<ReturnType<typeof makerIn>>
export const now = () => new Date().toISOString() as Instant
/** Eight signs that nothing else is called by. */
export const some = () => randomBytes(4).toString('hex').toUpperCase()
let regions = 420607500
/** Behind those of real streets, and each once: of nine hundred by chance two were soon the same. */
export const aRegionCode = () => String(regions++)
export const aPlate = () => `鄂F${some().slice(0, 5).replace(/[IO]/g, '0')}`
export const bearer = (token: string) => `Bearer ${token}`
/** The id of a row, and the version of it that is meant. */
export const of = ({ id, version = 1 }: { id: string; version?: number }) => ({ id, version })
/** A sheet of one row. */
export const csv = (row: Record<string, string>) => ({
  file: { name: 'rows.csv', text: `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}` },
})

/**
 * The tools of the factories: the calls themselves, and the tables where no call leads to the wanted state. Rows of a park lie in
 * `parkCode`.
 */
export async function makerIn(world: World, parkCode: string) {
  const victim = await victimOf(world.owner, 1, parkCode)
  const { admin, deputy } = world.tokens
  const find = (id: string) => calls.find((one) => one.id === id)!
  const asked = async (token: string, id: string, input: Record<string, unknown> = {}): Promise<any> => {
    const { status, text } = await world.ask(find(id), input, { authorization: bearer(token) })
    if (status !== 200) throw new Error(`${id}: ${status} ${text.slice(0, 300)}`)
    return (JSON.parse(text) as { data: any }).data
  }
  const row = async (sql: string, values: unknown[] = []) => (await world.owner.query<any>(sql, values)).rows[0]
  return {
    world,
    parkCode,
    secret: world.secret,
    admin,
    /** Another administrator: who asks for a refund does not approve it. */
    deputy,
    asked,
    /** The call with whatever its schema takes, and these fields. */
    made: (id: string, fields: Record<string, unknown> = {}) => asked(admin, id, { ...inputFor(find(id), victim), ...fields }),
    row,
    write: <T>(work: (tx: Tx) => Promise<T>) => world.house.writing(1, 'test', work),
    /** Somebody without any right, signed in. */
    async aPerson(): Promise<{ id: string; version: number; username: string; token: string }> {
      const username = `p-${randomUUID().slice(0, 8)}`
      const sql = `insert into identity.person (enterprise_id, username, name, password_hash, must_change) values (1, $1, $1, $2, false) returning id, version`
      const person = await row(sql, [username, await hashed(digestOf(username, PASSWORD))])
      return { ...person, username, token: await world.signIn(username) }
    },
  }
}
