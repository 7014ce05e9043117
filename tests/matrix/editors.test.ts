import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, type Call } from '../../platform/contract/call.ts'
import { id, message, text, whole as integer } from '../../platform/contract/field.ts'
import { snakeOf } from '../../platform/contract/names.ts'
import { Stale } from '../../platform/server/refusal.ts'
import { serve } from '../../platform/server/serve.ts'
import { each, tally } from '../../scripts/tally.ts'
import { AS, type Factories, type Fields } from '../ready/maker.ts'
import { readyIn } from '../ready/all.ts'
import { bearer } from './checks.ts'
import { inputFor, type Victim, victimOf } from './inputs.ts'
import { openWorld, tried, whole, type World } from './world.ts'

/** So many people save one record that all of them have opened. */
const EDITORS = 50
/** `EDITS=20` for the long run: so often each. */
const ROUNDS = Number(process.env['EDITS'] ?? 1)

/** A record in memory that is read, and written when somebody else has read it too. */
const careless = {
  update: call('trial.note.update', {
    service: 'basic',
    post: '/note/update',
    needs: 'public',
    writes: true,
    does: ['试', 'Tried'],
    own: true,
    body: message({ id: id<'NoteId'>(), version: integer('版本', 'Version'), name: text('名称', 'Name', { max: 40 }) }),
    reply: message({ version: integer('版本', 'Version') }),
  }),
}
const note = { id: '0190f5a0-0000-7000-8000-000000000001', version: 1, name: '' }
let readers = 0
const { promise: second, resolve: secondReads } = Promise.withResolvers<void>()
const planted = serve(careless, {
  async update({ input: { version, name } }) {
    const seen = note.version
    if (seen !== version) throw Stale({ version: seen, sent: version })
    if (++readers === 2) secondReads()
    await second
    Object.assign(note, { version: seen + 1, name })
    return { version: note.version }
  },
})

let world: World
let victim: Victim
let made: Factories
let find: Record<'uuid' | 'other', string>
beforeAll(async () => {
  world = await openWorld({ planted: { sql: '', domain: { name: 'trial', calls: planted } } })
  victim = await victimOf(world.owner, 1, 'P001')
  made = await readyIn(world)
  find = { uuid: await findingOf(true), other: await findingOf(false) }
})
afterAll(() => world.close())

const requiredOf = (one: Call<any, any>) => (one.input as { required?: string[] }).required ?? []
/** Calls that change a record as it is: calls that move it from state to state have their own tables of moves. */
const edits = tried.filter(
  (one) =>
    one.writes &&
    !one.id.startsWith('trial.') &&
    /^(update|edit|save|set|change|modify)/.test(one.id.split('.').at(-1)!) &&
    ['id', 'version'].every((field) => requiredOf(one).includes(field)),
)

type Row = Record<string, unknown> & { version: number }
/** The statement that finds a record by its id, wherever it lies: by an index where ids are uuids, the few others among all. */
async function findingOf(uuids: boolean): Promise<string> {
  const { rows } = await world.owner.query<{ name: string }>(
    `select n.nspname || '.' || quote_ident(c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where c.relkind = 'r' and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema', 'graphile_worker')
      group by 1 having bool_or(a.attname = 'version') and bool_or(a.attname = 'id' and (a.atttypid = 'uuid'::regtype) = $1)`,
    [uuids],
  )
  return rows.map(({ name }) => `select to_jsonb(t) as row from ${name} t where ${uuids ? 'id' : 'id::text'} = $1`).join(' union all ')
}
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
async function rowOf(of: unknown): Promise<Row | undefined> {
  const { rows } = await world.owner.query<{ row: Row }>(find[UUID.test(String(of)) ? 'uuid' : 'other'], [String(of)])
  return rows[0]?.row
}

/** A text of the call that the record has as a column, so that each editor writes another one. None of a plate, which is no text, nor of a step of a record's life or another plate of a car, which leave its texts alone. */
function fieldOf(one: Call<any, any>, row: Row, ready: Fields): string | undefined {
  if (STEPS.some((step) => step in ready)) return undefined
  const { properties } = one.input as unknown as {
    properties: Record<string, { type?: unknown; maxLength?: number; pattern?: string; format?: string; enum?: unknown; 'x-plate'?: true }>
  }
  return Object.entries(properties).find(
    ([name, { type, maxLength = 99, ...shape }]) =>
      !shape['x-plate'] &&
      !OF_OTHERS.test(name) &&
      [type].flat().includes('string') &&
      maxLength >= 10 &&
      !shape.pattern &&
      !shape.format &&
      !shape.enum &&
      snakeOf(name) in row,
  )?.[0]
}

/** It names another thing, which has to be there. */
const OF_OTHERS = /(Code|Id|Group)$/
const STEPS = ['state', 'act', 'plateNo']

/** Fifty who have opened the same record save it at once. @returns what is wrong with their answers, or with the record */
async function raced(one: Call<any, any>, ready: Fields, look: (of: unknown) => Promise<Row | undefined>): Promise<string[]> {
  const input = { ...inputFor(one, victim), ...ready }
  const before = await look(input['id'])
  const field = before && fieldOf(one, before, ready)
  // Of another call, that changes the same noun, no name is taken.
  const valueOf = (editor: number) => `改${edits.indexOf(one)}-${editor}`
  const answers = await Promise.all(
    Array.from({ length: EDITORS }, (_, editor) =>
      world.ask(
        one,
        { ...input, ...(field && { [field]: valueOf(editor) }) },
        { ...bearer(world.tokens.admin), ...(ready[AS] && { authorization: ready[AS] }) },
      ),
    ),
  )
  const won = answers.flatMap(({ status }, editor) => (status === 200 ? [editor] : []))
  if (won.length !== 1)
    return [`${one.id}: ${won.length} of ${EDITORS} saved it; ${answers.find(({ status }) => status !== 200)?.text.slice(0, 200)}`]
  const after = await look(input['id'])
  const told = (text: string) => {
    const { code, data } = JSON.parse(text) as { code: number; data?: { version?: number } }
    return code === STALE && data?.version === after?.version
  }
  const other = answers.find(({ status, text: said }, editor) => editor !== won[0] && !(status === 409 && told(said)))
  return [
    ...(other ? [`${one.id}: whoever came too late was told ${other.status} ${other.text.slice(0, 200)}`] : []),
    ...(after && before && after.version === before.version + 1 ? [] : [`${one.id}: version ${before?.version} became ${after?.version}`]),
    ...(field && after?.[snakeOf(field)] !== valueOf(won[0]!)
      ? [`${one.id}: ${field} is ${String(after?.[snakeOf(field)])}, saved was ${valueOf(won[0]!)}`]
      : []),
  ]
}
const STALE = 409

test('the harness sees a record that is read, and written later', async () => {
  const wrong = await raced(careless.update, { id: note.id, version: 1 }, async () => ({ ...note }))
  expect(wrong).toEqual([expect.stringMatching(/^trial\.note\.update: ([2-9]|\d\d) of 50 saved it/)])
})

test('of fifty who save one record one has it, the others are told both versions, and nothing is lost', async () => {
  const wrong: string[] = []
  for (let round = 0; round < ROUNDS; round++) for (const one of edits) wrong.push(...(await raced(one, (await made[one.id]?.()) ?? {}, rowOf)))
  expect(wrong).toEqual([])
  if (whole) expect(edits.length).toBeGreaterThan(30)
  tally({ check: 'fifty editors of one record', calls: each(edits, ROUNDS * EDITORS) })
}, 180_000)
