import { once } from 'node:events'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../../platform/server/start/port.ts'
import { testDatabase } from '../support/database.ts'
import { spawned, until } from './child.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'kerbline-logs-'))
const disk = path.join(dataDir, 'disk')
mkdirSync(disk)
/** A disk of a megabyte; where none can be mounted, a device that is always full. */
const mounted = process.getuid?.() === 0 && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]).status === 0
afterAll(() => {
  if (mounted) spawnSync('umount', ['-l', disk])
  rmSync(dataDir, { recursive: true, force: true })
})

test('no room for the log: the server starts, serves and lives; with room again it tells what happens from then on', async () => {
  const database = await testDatabase()
  const [filler, file] = [path.join(disk, 'filler'), mounted ? path.join(disk, 'server.log') : '/dev/full']
  if (mounted) spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k'])
  if (mounted) expect(() => writeFileSync(path.join(disk, 'one-more'), 'x'.repeat(10_000))).toThrow(/ENOSPC/)
  const log = openSync(file, 'a')
  const [port, mqttPort] = [await freePort(), await freePort()]
  const child = spawned(
    'apps/server/main.ts',
    {
      ROLE: 'web',
      DATABASE_URL: database.ownerUrl,
      DATA_DIR: dataDir,
      DEMO: 'none',
      PORT: String(port),
      MQTT_PORT: String(mqttPort),
      LOG_LEVEL: 'debug',
    },
    undefined,
    log,
  )
  const url = `http://127.0.0.1:${port}`
  const asks = async (times: number) => {
    const answers = Array.from({ length: times }, () =>
      fetch(`${url}/lbs/custom/account/getUserInfo`, { headers: { authorization: 'Bearer nobody' } }),
    )
    return new Set((await Promise.all(answers)).map(({ status }) => status))
  }
  try {
    await until(
      () =>
        fetch(`${url}/lbs/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      60_000,
      'The start of the server',
    )
    expect(await asks(200)).toEqual(new Set([401]))
    expect([child.exitCode, child.signalCode]).toEqual([null, null])
    if (mounted) {
      rmSync(filler)
      rmSync(path.join(disk, 'one-more'), { force: true })
      const before = statSync(file).size
      await until(async () => (await asks(5), statSync(file).size > before), 10_000, 'The log going on')
    }
    child.kill('SIGTERM')
    expect((await once(child, 'exit'))[0], 'it stops when it is told to').toBe(0)
  } finally {
    child.kill('SIGKILL')
    closeSync(log)
    await database.drop()
  }
}, 120_000)
