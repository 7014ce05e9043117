import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type RunningNotify, startNotify } from '../../../city/notify/server.ts'
import type { NotifyOptions } from '../../../city/notify/provider.ts'
import type { Instant } from '../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { allowOutside } from '../../../platform/server/outside.ts'
import { type Answer, startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { bringOut } from './deliver/deliver.ts'

const SECRET = randomBytes(32).toString('hex')
const BUSY = 503
export const MORNING = '2026-03-02T02:00:00.000Z' as Instant // ten o'clock in the city
export const later = (at: Instant, seconds: number) => instantAt(msOf(at) + seconds * 1000)

/** The product without its worker, so that a test says when things happen, and a provider outside. */
export interface Post {
  server: TestServer
  provider: RunningNotify
  admin: string
  operator: string
  auditor: string
  /** `post('messageChannel/insert', {...})`; refusals come back as answers. */
  post(path: string, body?: object, token?: string): Promise<Answer>
  put(path: string, body: object, token?: string): Promise<Answer>
  get(path: string, query?: object, token?: string): Promise<Answer>
  idOf(username: string): Promise<string>
  aChannel(fields?: object): Promise<{ id: string; version: number; name: string }>
  aTemplate(fields?: object): Promise<{ id: string; version: number; code: string }>
  /** Somebody with a phone and a mailbox. */
  aPerson(fields?: { phone?: string | null; email?: string | null; departmentId?: string }): Promise<string>
  /** Brings out what is due at that time, to the end. */
  work(at: Instant): Promise<void>
  sql<R>(text: string, values?: unknown[]): Promise<R[]>
  close(): Promise<void>
}

export async function aPost({ role = 'web', ...options }: Partial<NotifyOptions> & { role?: 'web' | 'all' } = {}): Promise<Post> {
  const server = await startTestServer({ role })
  const provider = await startNotify({ port: 0, secret: SECRET, perSecond: 1_000, ...options })
  allowOutside([new URL(provider.url).host, `127.0.0.1:${provider.mailPort}`])
  const [admin, operator, auditor] = await Promise.all([server.signIn('admin'), server.signIn('operator'), server.signIn('auditor')])
  const some = () => randomBytes(4).toString('hex')
  // On a busy machine a call may be told to come again: nothing was done then.
  const ask: TestServer['ask'] = async (...call) => {
    for (;;) {
      const answer = await server.ask(...call)
      if (answer.status !== BUSY) return answer
    }
  }
  const post: Post['post'] = (path, body = {}, token = admin) => ask(token, 'POST', `/lbs/message/${path}`, body)
  const owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  const made = async (answer: Answer) => {
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.message}`)
    return answer.data
  }
  return {
    server,
    provider,
    admin,
    operator,
    auditor,
    post,
    put: (path, body, token = admin) => ask(token, 'PUT', `/lbs/message/${path}`, body),
    get: (path, query = {}, token = admin) => ask(token, 'GET', `/lbs/message/${path}`, query),
    idOf: async (username) => (await owner.query('select id from identity.person where username = $1', [username])).rows[0].id,
    aChannel: async (fields = {}) =>
      made(
        await post('messageChannel/insert', {
          name: `SMS ${some()}`,
          type: 2,
          url: `${provider.url}/send`,
          account: 'kerbline',
          secret: SECRET,
          ratePerSec: 1000,
          ...fields,
        }),
      ),
    async aTemplate({ enabled = true, ...fields }: { enabled?: boolean } & Record<string, unknown> = {}) {
      const draft = await made(
        await post('messageTemplate/insert', {
          code: `t.${some()}`,
          name: '通知',
          kind: 1,
          channelType: 2,
          title: '通知',
          content: '{{name}}您好',
          ...fields,
        }),
      )
      if (!enabled) return draft
      return made(await ask(admin, 'PUT', '/lbs/message/messageTemplate/update', { id: draft.id, version: draft.version, state: 1 }))
    },
    async aPerson({
      phone = `138${String(Math.floor(Math.random() * 1e8))
        .padStart(8, '0')
        .replace(/(0000|1111|2222|3333)$/, '4567')}`,
      email = null,
      departmentId,
    } = {}) {
      const { rows } = await owner.query(
        `insert into identity.person (enterprise_id, username, name, password_hash, phone, email, department_id) values (1, $1, $1, 'x', $2, $3, $4) returning id`,
        [`p${some()}`, phone, email, departmentId ?? null],
      )
      return rows[0].id
    },
    work: (at) => bringOut(server.house, 1, at),
    sql: async (text, values = []) => (await owner.query(text, values)).rows,
    async close() {
      await provider.stop()
      await owner.end()
      await server.close()
    },
  }
}
