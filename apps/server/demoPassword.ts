import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../../platform/server/start/config.ts'

/** The password of a demo that is there; and the one that a start has begun to give to people and devices. */
const [KEPT, BEGUN] = ['demo-password', 'demo-password.begun'] as const

/**
 * Made up once and kept beside the demo's data, so that the next start can say it again. A start that is cut off goes on with what it began: some people and devices have that
 * one already. `isNew` until all of them have it.
 */
export function demoPassword({ dataDir, demoPassword: wanted }: Pick<Config, 'dataDir' | 'demoPassword'>): { password: string; isNew: boolean } {
  const [kept, begun] = [readIn(dataDir, KEPT), readIn(dataDir, BEGUN)]
  const password = wanted ?? begun ?? kept ?? randomBytes(9).toString('base64url')
  if (begun === undefined && password === kept) return { password, isNew: false }
  if (password !== begun) {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(path.join(dataDir, BEGUN), `${password}\n`, { mode: 0o600 })
  }
  return { password, isNew: true }
}

/** All people and devices of the demo have the password that was begun. */
export const keepPassword = (dataDir: string): void => renameSync(path.join(dataDir, BEGUN), path.join(dataDir, KEPT))

/** An empty one was cut off before anybody was given it. */
const readIn = (dataDir: string, name: string): string | undefined => {
  const file = path.join(dataDir, name)
  return (existsSync(file) && readFileSync(file, 'utf8').trim()) || undefined
}
