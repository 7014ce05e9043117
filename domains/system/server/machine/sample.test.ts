import { readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { lookerHere, startSampling } from './sample.ts'

const look = lookerHere()
afterAll(() => look.stop())

/** The processes that look at the machine for this one. */
const lookers = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const parent = Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
        return parent === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('machine.ts')
      } catch {
        return false // gone meanwhile
      }
    })
    .map(Number)

test('a look tells the machine and this process, from a process of its own that yields and holds no secret', async () => {
  const { figures, disks, ...facts } = await look.now()
  expect(facts).toMatchObject({ name: os.hostname().slice(0, 100), cores: os.availableParallelism(), memBytes: os.totalmem() })
  expect(disks.length).toBeGreaterThan(0)
  expect(figures.memPermille).toBeGreaterThan(0)
  expect(figures.programBytes).toBeGreaterThan(10_000_000)
  const [pid] = lookers()
  expect(os.getPriority(pid)).toBeGreaterThan(0)
  expect(
    readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .map((one) => one.split('=')[0])
      .filter((name) => !/^(PATH|NODE_.*)?$/.test(name!)),
  ).toEqual([])
})

test('one that was killed is begun anew, and one that is asked no more is gone', async () => {
  const [pid] = lookers()
  const during = look.now()
  process.kill(pid!, 'SIGKILL')
  await during.catch(({ message }: Error) => expect(message).toBe('The process that looks at this machine is gone.'))
  expect((await look.now()).cores).toBe(os.availableParallelism())
  expect(lookers()).toHaveLength(1)
  look.stop()
  await expect.poll(lookers).toEqual([])
})

describe('a machine that is slow to tell', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
  afterEach(() => void vi.useRealTimers())
  /** A look that is under way until it is answered, and how many were under way at once. */
  function slowLook() {
    const waiting: PromiseWithResolvers<never>[] = []
    let [begun, most] = [0, 0]
    const now = () => {
      begun++
      most = Math.max(most, waiting.push(Promise.withResolvers<never>()))
      return waiting.at(-1)!.promise
    }
    const end = () => waiting.splice(0).forEach(({ reject }) => reject(new Error('no answer')))
    return { look: { now, stop: end }, end, counts: () => ({ begun, most }) }
  }
  const warnings: string[] = []
  const house = {
    writing: () => Promise.reject(new Error('nothing to keep')),
    log: { warn: (_: object, text: string) => warnings.push(text) },
  } as never

  test('it is looked at again only when it has told, and the moments meanwhile are left out', async () => {
    const { look, end, counts } = slowLook()
    const stop = startSampling(house, look)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(counts()).toEqual({ begun: 1, most: 1 })
    end()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(counts()).toEqual({ begun: 2, most: 1 })
    await stop()
  })

  test('a stop ends the look under way, says nothing of it, and is the last of them', async () => {
    const { look, counts } = slowLook()
    const stop = startSampling(house, look)
    await vi.advanceTimersByTimeAsync(20_000)
    warnings.length = 0
    await stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(counts()).toEqual({ begun: 1, most: 1 })
    expect(warnings).toEqual([])
  })
})
