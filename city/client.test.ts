import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { park } from '../domains/parking/contract/park.ts'
import { signIn } from './client.ts'

test('a platform that has too much to do is asked again when it says, under the same key; any other refusal stands', async () => {
  const asked: IncomingMessage[] = []
  const times: number[] = []
  const statuses = [503, 200, 429, 503, 422]
  const server = createServer((request, reply) => {
    asked.push(request.resume())
    times.push(performance.now())
    const status = statuses.shift()!
    reply.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' })
    reply.end(JSON.stringify({ code: status, message: 'said', access_token: 'x' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const client = await signIn(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'admin', 'p')
    await expect(client.ask(park.delete, { id: 'x', version: 1 } as never)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('said'),
    })
    expect(asked).toHaveLength(5)
    expect(new Set(asked.slice(2).map(({ headers }) => headers['idempotency-key']))).toEqual(new Set([expect.stringMatching(/^[0-9a-f-]{36}$/)]))
    expect(times[1]! - times[0]!).toBeGreaterThan(900)
  } finally {
    server.close()
  }
})
