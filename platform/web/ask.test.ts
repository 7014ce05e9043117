import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call } from '../contract/call.ts'
import { anything, id, listOf, message, nothing, text, whole } from '../contract/field.ts'
import { ask, download, Refusal } from './ask.ts'
import { failures } from './page/failures.ts'
import { person } from './person.ts'

/** The network of a browser: what was sent, and what it answers. */
let sent: { url: string; init: RequestInit & { headers: Record<string, string> } }[] = []
let answers: () => Response
const ok = (data: unknown) => Response.json({ code: 200, message: 'ok', data })
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] }) // what is noted in the console's log half a second later has no page any more
  sent = []
  answers = () => ok(null)
  vi.stubGlobal('document', { cookie: 'token=abc%2Fdef; lang=en' })
  vi.stubGlobal('fetch', async (url: string, init: (typeof sent)[0]['init']) => {
    sent.push({ url, init })
    return answers()
  })
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  person.set(undefined)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const list = call('test.thing.list', {
  service: 'fee',
  get: '/thing/{code}/list',
  needs: 'signed-in',
  query: message({ code: text('编号', 'Code'), states: listOf(whole('状态', 'State')), name: text('名称', 'Name', { min: 0 }) }),
  reply: anything,
})
const write = call('test.thing.write', {
  service: 'basic',
  post: '/thing/write',
  needs: 'signed-in',
  writes: true,
  does: ['试', 'Tried'],
  body: message({ id: id() }, { userId: text('操作人', 'By'), userName: text('操作人姓名', 'By whom') }),
  reply: nothing,
})
const file = call('test.thing.export', { service: 'fee', get: '/thing/export', needs: 'signed-in', file: true, query: message({}), reply: anything })

test('request.base-path request.bearer: below /lbs and the prefix of its service, with the token of the cookie', async () => {
  await ask(list, { code: 'a/b', states: [1, 2], name: '' })
  expect(sent[0]!.url).toBe('/lbs/fee/thing/a%2Fb/list?states=1%2C2')
  expect(sent[0]!.init.headers['authorization']).toBe('Bearer abc/def')
})
test('request.caller-fields: a call that names the caller gets the signed-in person', async () => {
  person.set({ custId: 'c1', name: '李', username: 'li', enterpriseId: 1, enterpriseName: '', phoneTail: '', capabilities: new Set() })
  await ask(write, { id: 'x' as never })
  expect(JSON.parse(String(sent[0]!.init.body))).toEqual({ id: 'x', userId: 'c1', userName: '李' })
  await ask(list, { code: 'a', states: [], name: '' })
  expect(sent[1]!.url).not.toContain('userId')
})
test('every writing call carries a key, every submit its own', async () => {
  await ask(write, { id: 'x' as never })
  await ask(write, { id: 'x' as never })
  await ask(write, { id: 'x' as never }, { key: 'mine' })
  const keys = sent.map(({ init }) => init.headers['idempotency-key'])
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys[0]).not.toBe(keys[1])
  expect(keys[2]).toBe('mine')
})
test('error.download-json: a download that answers with JSON is an error, and no file is saved', async () => {
  const made = vi.fn()
  vi.stubGlobal('document', { cookie: '', createElement: made })
  answers = () => Response.json({ code: 40001, message: '没有可导出的数据', data: null }, { headers: { 'x-request-id': 'r7' } })
  await expect(download(file, {})).rejects.toMatchObject({ message: '没有可导出的数据', requestId: 'r7' })
  expect(made).not.toHaveBeenCalled()
  expect(failures.get()[0]).toMatchObject({ call: 'test.thing.export', requestId: 'r7' })
})
test('a download is saved under the name of the server', async () => {
  const link = { click: vi.fn(), href: '', download: '' }
  vi.stubGlobal('document', { cookie: '', createElement: () => link })
  answers = () =>
    new Response('rows', {
      headers: {
        'content-type': 'application/vnd.ms-excel',
        'content-disposition': `attachment; filename="x.xls"; filename*=UTF-8''${encodeURIComponent('停车记录.xls')}`,
      },
    })
  await download(file, {})
  expect(link.download).toBe('停车记录.xls')
  expect(link.click).toHaveBeenCalledOnce()
})
test('a refusal tells a stale record from another conflict', () => {
  expect(new Refusal(409, '', '', { code: 409 }).stale).toBe(true)
  expect(new Refusal(409, '', '', { code: 40010 }).stale).toBe(false)
})
test('another try is another request only after the server has said no', () => {
  const isAnswer = (status: number, code = status) => new Refusal(status, '', '', { code }).isAnswer
  for (const status of [400, 401, 403, 404, 409, 422, 429]) expect(isAnswer(status), String(status)).toBe(true)
  expect(isAnswer(409, 41401)).toBe(true)
  for (const status of [0, 408, 500, 502, 503, 504]) expect(isAnswer(status), String(status)).toBe(false)
  expect(isAnswer(409, 40902), 'the first of two is still in hand').toBe(false)
})
