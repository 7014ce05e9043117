import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Instant } from '../../../platform/contract/field.ts'
import { startTestServer } from '../../../tests/support/server.ts'
import { post, type Posting } from './api.ts'

export const at = '2026-11-20T04:00:00.000Z' as Instant
/** A park, a sub-account, a number: one that nothing was ever posted under. */
export const fresh = (sign: string) => `${sign}${randomBytes(5).toString('hex')}`

/** An entry that somebody wants to post: whatever a test does not care about, filled in. */
export const posting = (lines: Posting['lines'], more: Partial<Posting> = {}): Posting => ({
  bizType: 'test',
  bizNo: 'N1',
  eventId: fresh('e'),
  at,
  parkCode: 'P001',
  business: 'parking',
  lines,
  ...more,
})

/** The real product, and what a test of the ledger needs to say. */
export type Books = Awaited<ReturnType<typeof theBooks>>
export async function theBooks() {
  const server = await startTestServer()
  const admin = await server.signIn('admin')
  const writing = <T>(work: Parameters<typeof server.house.writing<T>>[2], enterprise = 1) => server.house.writing(enterprise, 'test', work)
  return {
    server,
    writing,
    /** @returns the entry's id */
    posted: async (lines: Posting['lines'], more: Partial<Posting> = {}, enterprise = 1): Promise<string> =>
      (await writing((tx) => post(tx, posting(lines, more)), enterprise))!.entryId,
    get: async (path: string, query: object = {}, token = admin): Promise<any> =>
      (await server.ask(token, 'GET', `/lbs/business/ledger${path}`, query)).data,
    /** Behind the wall, as the owner of the tables; nothing of it stays. */
    trying: <T>(work: (ask: Ask) => Promise<T>) => asOwner(server.ownerUrl, ['begin', 'rollback'], work),
    /** The same, and it stays. */
    behind: (text: string) => asOwner(server.ownerUrl, ['begin', 'commit'], (ask) => ask(text)),
    close: () => server.close(),
  }
}

type Ask = (text: string, values?: unknown[]) => Promise<any[]>
async function asOwner<T>(ownerUrl: string, [first, last]: [string, string], work: (ask: Ask) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    await owner.query(first)
    const done = await work(async (text, values) => (await owner.query(text, values)).rows)
    await owner.query(last)
    return done
  } finally {
    await owner.end()
  }
}
