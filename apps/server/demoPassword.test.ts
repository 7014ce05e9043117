import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { demoPassword, keepPassword } from './demoPassword.ts'

let dataDir: string
beforeEach(() => void (dataDir = mkdtempSync(path.join(tmpdir(), 'kerbline-password-'))))
afterEach(() => rmSync(dataDir, { recursive: true }))
const begin = (wanted?: string) => demoPassword({ dataDir, demoPassword: wanted })
function finish(wanted?: string) {
  const { password, isNew } = begin(wanted)
  if (isNew) keepPassword(dataDir)
  return { password, isNew }
}

test('a first start makes one up; cut off it goes on with it, and the next starts say it again', () => {
  const { password, isNew } = begin()
  expect({ password, isNew }).toEqual({ password: expect.stringMatching(/^[\w-]{12}$/), isNew: true })
  expect(begin()).toEqual({ password, isNew: true })
  expect(finish()).toEqual({ password, isNew: true })
  expect(begin()).toEqual({ password, isNew: false })
})

test('one that is wanted is taken, from the first start or from a later one on', () => {
  expect(finish('first')).toEqual({ password: 'first', isNew: true })
  expect(begin('first')).toEqual({ password: 'first', isNew: false })
  expect(finish('second')).toEqual({ password: 'second', isNew: true })
  expect(begin()).toEqual({ password: 'second', isNew: false })
})

test('cut off with another one: people may have that one already, so a start without any goes on with it', () => {
  finish('first')
  begin('second')
  expect(finish()).toEqual({ password: 'second', isNew: true })
  expect(begin()).toEqual({ password: 'second', isNew: false })
})

test('cut off with another one: the earlier one is given to everybody again when it is wanted', () => {
  finish('first')
  begin('second')
  expect(begin('first')).toEqual({ password: 'first', isNew: true })
  expect(finish()).toEqual({ password: 'first', isNew: true })
  expect(begin()).toEqual({ password: 'first', isNew: false })
})

test('cut off twice, with two of them: the last one goes on', () => {
  begin('first')
  begin('second')
  expect(finish()).toEqual({ password: 'second', isNew: true })
})

test('a file that was cut off before anything stood in it says nothing', () => {
  finish('first')
  writeFileSync(path.join(dataDir, 'demo-password.begun'), '')
  expect(begin()).toEqual({ password: 'first', isNew: false })
})
