import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect, test } from 'vitest'

test('a promise that fails where nobody waits for it is told as the worst, and the program goes on', () => {
  const program = `import { hearUnheard, openLog } from ${JSON.stringify(path.join(import.meta.dirname, 'log.ts'))}
    hearUnheard(openLog('fatal'))
    void Promise.reject(new Error('A library forgot it.'))
    setTimeout(() => console.log('still here'), 100)`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, 'still here\n'])
  expect(JSON.parse(stderr)).toMatchObject({ level: 60, err: { message: 'A library forgot it.' } })
})

test('what is thrown and never caught ends no server that runs', () => {
  const program = `import { hearUncaught, openLog } from ${JSON.stringify(path.join(import.meta.dirname, 'log.ts'))}
    hearUncaught(openLog('fatal'))
    setTimeout(() => { throw new Error('In an event of a socket.') })
    setTimeout(() => console.log('still here'), 100)`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, 'still here\n'])
  expect(JSON.parse(stderr)).toMatchObject({ level: 60, err: { message: 'In an event of a socket.' } })
})

test('what is logged last is read, also of a program that ends at once', () => {
  const program = `import { openLog } from ${JSON.stringify(path.join(import.meta.dirname, 'log.ts'))}
    const log = openLog('info')
    for (let n = 0; n < 2000; n++) log.info({ n }, 'said')
    process.exit(3)`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(status).toBe(3)
  const lines = stderr.trim().split('\n')
  expect([lines.length, JSON.parse(lines.at(-1)!)]).toEqual([2000, expect.objectContaining({ n: 1999, msg: 'said' })])
})

test.each([
  'log.info("to nobody"); log.info("and again")',
  'for (let n = 0; n < 3; n++) { log.info("to nobody"); await new Promise((later) => setTimeout(later, 50)) }',
])('a program whose log nobody reads any more ends when it is told to: %s', async (logs) => {
  const program = `import { openLog } from ${JSON.stringify(path.join(import.meta.dirname, 'log.ts'))}
    const log = openLog('info')
    process.stdin.once('data', async () => {
      ${logs}
      process.exit(4)
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'pipe'] })
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
  child.stderr.destroy()
  child.stdin.write('go')
  const [code] = await once(child, 'exit')
  clearTimeout(late)
  expect(code).toBe(4)
})
