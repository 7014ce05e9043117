import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call } from '../../contract/call.ts'
import { entity, message, text } from '../../contract/field.ts'
import { type BulkAct, bulkRun, type Run } from './bulkRun.ts'

const reset = call('test.thing.reset', {
  service: 'basic',
  post: '/thing/reset',
  needs: 'signed-in',
  writes: true,
  does: ['试', 'Tried'],
  body: message({ name: text('名称', 'Name') }),
  reply: entity({ password: text('密码', 'Password') }),
})
let underWay = 0
let most = 0
const keys: string[] = []
let answers: (name: string) => Promise<Response>
beforeEach(() => {
  ;[underWay, most] = [0, 0]
  keys.length = 0
  answers = async (name) => Response.json({ code: 200, message: 'ok', data: { password: `of ${name}` } })
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('fetch', async (_: string, { body, headers }: { body: string; headers: Record<string, string> }) => {
    most = Math.max(most, ++underWay)
    keys.push(headers['idempotency-key'] ?? '')
    const { name } = JSON.parse(body) as { name: string }
    try {
      return await answers(name)
    } finally {
      underWay--
    }
  })
})
afterEach(() => void vi.unstubAllGlobals())

const rows = Array.from({ length: 12 }, (_, n) => `R${n}`)
const act: BulkAct<string> = {
  text: ['重置', 'Reset'],
  call: reset,
  input: (name: string) => ({ name }),
  not: (name: string) => name === 'R3' && ['不行', 'No'],
}
const told = (run: Run<string>) => [run.settled, run.failed, run.running, run.cancelled]

test('each row is a call of its own with its own key, a few at once; what cannot be sent and what is refused fail with their reason, and the answers are kept', async () => {
  answers = async (name) => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    return name === 'R5'
      ? Response.json({ code: 409, message: '已停用', data: null, requestId: 'q5' }, { status: 409 })
      : Response.json({ code: 200, message: 'ok', data: { password: `of ${name}` } })
  }
  const runs: Run<string>[] = []
  const results = await bulkRun(act, rows, (run) => runs.push(run)).done
  expect(results.filter(({ outcome }) => outcome !== 'done').map(({ row, outcome, reason }) => [row, outcome, reason])).toEqual([
    ['R3', 'failed', '不行'],
    ['R5', 'failed', '已停用'],
  ])
  expect(results.flatMap(({ row, answer }) => (answer ? [[row, (answer as { password: string }).password]] : []))).toEqual(
    rows.filter((row) => row !== 'R3' && row !== 'R5').map((row) => [row, `of ${row}`]),
  )
  expect([most, keys.length, new Set(keys).size]).toEqual([4, 11, 11])
  expect(told(runs.at(-1)!)).toEqual([12, 2, false, false])
})

test('a run that is stopped sends no more; what is under way is waited for, and the rest is left', async () => {
  const { promise: mayAnswer, resolve } = Promise.withResolvers<void>()
  answers = async (name) => (await mayAnswer, Response.json({ code: 200, message: 'ok', data: { password: name } }))
  const runs: Run<string>[] = []
  const { cancel, done } = bulkRun({ ...act, not: () => undefined }, rows, (run) => runs.push(run))
  await vi.waitFor(() => expect(underWay).toBe(4))
  cancel()
  resolve()
  const results = await done
  expect(results.map(({ outcome }) => outcome)).toEqual([...Array.from({ length: 4 }, () => 'done'), ...Array.from({ length: 8 }, () => 'left')])
  expect(told(runs.at(-1)!)).toEqual([4, 0, false, true])
})
