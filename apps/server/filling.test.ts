import { expect, test } from 'vitest'
import type { Log } from '../../platform/server/log.ts'
import { filling } from './filling.ts'
import { type Readiness, STARTING } from './health.ts'

/** Records what a start says and does when its demo is refused `refusals` times. */
async function started(refusals: number, stopsAfter = Infinity) {
  const readiness: Readiness = { waitingFor: STARTING, demo: null }
  const said: string[] = []
  const saying = (level: string) => (_: unknown, text: string) => void said.push(`${level}: ${text}`)
  let tries = 0
  const fill = async () => {
    if (++tries <= refusals) throw new Error('Somebody has withdrawn that tariff')
    readiness.waitingFor = null
  }
  const log = { warn: saying('warn'), error: saying('error') } as unknown as Log
  await filling(fill, { log, readiness, stopping: () => tries >= stopsAfter, tries: 3, againMs: 0 })
  return { tries, waitingFor: readiness.waitingFor, said }
}
const AGAIN = 'warn: The demo was not filled; trying again.'

test('a demo that is refused at every try is a line in the log, and the server is ready without it', async () => {
  expect(await started(Infinity)).toEqual({
    tries: 3,
    waitingFor: null,
    said: [AGAIN, AGAIN, 'error: The demo was not filled; the next start goes on with it.'],
  })
})

test('one that is refused once is filled by the next try; who stops the server meanwhile waits for none', async () => {
  expect(await started(1)).toEqual({ tries: 2, waitingFor: null, said: [AGAIN] })
  expect(await started(Infinity, 1)).toEqual({ tries: 1, waitingFor: STARTING, said: [] })
})
