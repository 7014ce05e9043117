import { spawnSync } from 'node:child_process'
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
