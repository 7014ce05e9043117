import fastify from 'fastify'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { giveUpSlowReaders } from './slow.ts'

/** Longer than a reader may leave an answer alone, and longer than the time between two looks. */
const PAUSE_MS = 17_000

test('a file whose rows are long in coming is not cut off: only a reader can be a slow reader', async () => {
  const app = fastify()
  giveUpSlowReaders(app)
  app.get('/sheet', (_, reply) => {
    const file = new PassThrough()
    setTimeout(() => file.end('all rows'), PAUSE_MS)
    return reply.send(file)
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  expect(await (await fetch(`${url}/sheet`)).text()).toBe('all rows')
  await app.close()
})
