import { readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import { afterAll, expect, test } from 'vitest'
import { lookerHere } from './sample.ts'

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
