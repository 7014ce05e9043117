import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nameFor, removeLeftovers } from './leftovers.ts'

test('what a killed run has left is removed, and nothing of a run or a database that lives, nor of one whose process is numbered elsewhere', () => {
  const place = mkdtempSync(path.join(tmpdir(), 'kerbline-leftovers-'))
  onTestFinished(() => rmSync(place, { recursive: true, force: true }))
  const ended = spawnSync('true').pid
  const made = (name: string, database?: number) => {
    mkdirSync(path.join(place, name, 'postgres'), { recursive: true })
    if (database !== undefined) writeFileSync(path.join(place, name, 'postgres', 'postmaster.pid'), `${database}\n${place}\n`)
    return name
  }
  made(`${nameFor(ended)}stopped`)
  made(`${nameFor(ended)}killed`, ended)
  const kept = [
    made(`${nameFor(ended)}stopping`, process.pid),
    made(`${nameFor(process.pid)}starting`),
    made(`${nameFor(process.pid)}again`, ended),
    made(nameFor(ended, '1') + 'numbered elsewhere'),
    made('kerbline-test-others'),
    made('kerbline-files-1'),
  ]
  removeLeftovers(place)
  expect(readdirSync(place).sort()).toEqual(kept.sort())
})
