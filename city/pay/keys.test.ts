import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { keepKeys, keysIn } from './keys.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'kerbline-keys-'))
afterAll(() => rmSync(dataDir, { recursive: true }))

test('the first start makes the keys, and the next one has the same; nobody else may read them', () => {
  const keys = keysIn(dataDir)
  expect(keysIn(dataDir)).toEqual(keys)
  expect(statSync(path.join(dataDir, 'pay-keys.json')).mode & 0o077).toBe(0)
  keys.wechat.platform[0]!.until = 1
  keepKeys(dataDir, keys)
  expect(keysIn(dataDir).wechat.platform[0]!.until).toBe(1)
})

test('keys have the form of the real ones', () => {
  const { wechat, alipay } = keysIn(dataDir)
  for (const { mchid, appid, appSecret, apiV3Key } of wechat.merchants) {
    expect(mchid).toMatch(/^\d{10}$/)
    expect(appid).toMatch(/^wx[0-9a-f]{16}$/)
    expect(appSecret).toMatch(/^\w{32}$/)
    expect(apiV3Key).toMatch(/^\w{32}$/)
  }
  for (const { appId, sellerId } of alipay.apps)
    expect([appId, sellerId]).toEqual([expect.stringMatching(/^\d{16}$/), expect.stringMatching(/^2088\d{12}$/)])
})

test('a certificate is one that node reads: its serial number, its times, its key and its own signature', () => {
  const { wechat } = keysIn(dataDir)
  for (const { certificate, serial, privateKey } of [...wechat.merchants, ...wechat.platform]) {
    const read = new X509Certificate(certificate)
    expect(read.serialNumber).toBe(serial)
    expect(read.verify(read.publicKey)).toBe(true)
    expect(read.checkPrivateKey(createPrivateKey(privateKey))).toBe(true)
    expect(read.validToDate.getTime() - read.validFromDate.getTime()).toBe(5 * 365 * 86_400_000)
  }
})
