import pg from 'pg'
import { inject } from 'vitest'
import type { Switch } from './mutants.ts'
import { hasMarks, numbersIn, unmarked } from './statements.ts'
import { everyMutant } from './work.ts'

const { switches } = everyMutant()
export const isOfDatabase = (mutant: number) => switches.has(mutant)

/** The marked texts that were sent, and to which database. */
const sent = new Map<string, string>()

type Query = string | { text?: string; name?: string }
/** Every statement of this process is sent without its marks, and with the mutant that is tried. A prepared one is another statement then, and has another name. */
export function tryStatements(): void {
  const query = pg.Client.prototype.query as (...all: unknown[]) => unknown
  pg.Client.prototype.query = function (this: pg.Client, of: Query, ...rest: unknown[]) {
    const text = typeof of === 'string' ? of : of?.text
    if (text === undefined || !hasMarks(text)) return query.call(this, of, ...rest)
    sent.set(text, this.database!)
    let tried: number | undefined
    const without = unmarked(text, (number) => {
      if (globalThis.__mutant(number)) tried = number
      return tried === number
    })
    if (typeof of === 'string') return query.call(this, without, ...rest)
    of.text = without
    if (of.name && tried !== undefined) of.name += `_${tried}`
    return query.call(this, of, ...rest)
  } as typeof pg.Client.prototype.query
}

/** Of those that were sent, and of the wanted functions: what is no SQL any more, or compares what cannot be compared. */
export async function notSql(wanted: readonly number[]): Promise<number[]> {
  const wrong = new Set<number>()
  for (const database of new Set(sent.values()))
    await within(database, async (fails) => {
      for (const [text] of [...sent].filter(([, of]) => of === database)) {
        const prepared = (number?: number) => fails(`prepare tried as ${unmarked(text, (one) => one === number)}`)
        if (await prepared()) continue // no statement that can be prepared: its mutants are taken as they are
        for (const number of numbersIn(text)) if (await prepared(number)) wrong.add(number)
      }
    })
  await within(templateName(), async (fails) => {
    for (const number of wanted.filter(isOfDatabase)) if (await fails(switches.get(number)!.on)) wrong.add(number)
  })
  return [...wrong]
}
const within = (database: string, work: (fails: (text: string) => Promise<boolean>) => Promise<void>) =>
  connected(database, (client) =>
    work(async (text) => {
      await client.query('begin')
      const failed = await client.query(text).then(
        () => false,
        () => true,
      )
      await client.query('rollback; deallocate all')
      return failed
    }),
  )

/** A function of the database becomes its mutant, or is itself again: in those that tests have, and in what the next one is a copy of. */
export async function turn(mutant: number, way: keyof Switch): Promise<void> {
  const text = switches.get(mutant)?.[way]
  if (text === undefined) return
  const names = await connected('postgres', (client) =>
    client.query<{ datname: string }>(`select datname from pg_database where datname like 'test\\_%' or datname = $1`, [templateName()]),
  )
  for (const { datname } of names.rows) await connected(datname, (client) => client.query(text))
}

const templateName = () => new URL(inject('template').ownerUrl).pathname.slice(1)
async function connected<T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const url = new URL(inject('template').ownerUrl)
  url.pathname = `/${database}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
