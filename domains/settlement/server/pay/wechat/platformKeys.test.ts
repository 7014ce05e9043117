import { describe, expect, test } from 'vitest'
import { certificateOf } from './keys.ts'
import { certificatesIn, platformKeys } from './platformKeys.ts'
import { certificates, nextCertificate, published } from './published/testing.ts'
import { API_KEY, KEY_ID, sealedBy, stranger } from './testing.ts'

/** While both published certificates are good. */
const NOW_MS = Date.parse('2026-11-20T10:00:00+08:00')
const SECOND = 1_000
const first = { serial: published.headers['wechatpay-serial'], text: published.certificate }
const answer = (...some: readonly { serial: string; text: string }[]) =>
  JSON.stringify({
    data: some.map(({ serial, text }) => ({
      serial_no: serial,
      effective_time: '2021-04-27T16:55:23+08:00',
      expire_time: '2031-04-25T16:55:23+08:00',
      encrypt_certificate: sealedBy(text, { associatedData: 'certificate' }),
    })),
  })
const apiV3Key = Buffer.from(API_KEY)

test('WeChat’s published answer is unlocked', () => {
  const found = certificatesIn(certificates.body, Buffer.from(certificates.contentKey))
  expect([...found.keys()]).toEqual([first.serial])
  expect(found.get(first.serial)!.key.equals(certificateOf(first.text).key)).toBe(true)
})

describe('certificates', () => {
  test('are fetched when one is asked for, once, and looked up by serial number', async () => {
    let fetched = 0
    const keys = platformKeys({ apiV3Key }, async () => {
      fetched++
      return answer(first, nextCertificate)
    })
    const found = await Promise.all([keys.of(first.serial, NOW_MS), keys.of(nextCertificate.serial.toLowerCase(), NOW_MS)])
    expect(found.map((key) => key?.asymmetricKeyType)).toEqual(['rsa', 'rsa'])
    expect(fetched).toBe(1)
  })
  test('roll: one that was not known yet is fetched; strangers’ serial numbers make nobody ask more than once a minute', async () => {
    let [fetched, told] = [0, answer(first)]
    const keys = platformKeys({ apiV3Key }, async () => {
      fetched++
      return told
    })
    expect(await keys.of(first.serial, NOW_MS)).toBeDefined()
    told = answer(first, nextCertificate)
    for (let n = 0; n < 20; n++) expect(await keys.of(`ABCDEF${String(n).padStart(4, '0')}`, NOW_MS + n * SECOND)).toBeUndefined()
    expect(fetched).toBe(1)
    expect(await keys.of(nextCertificate.serial, NOW_MS + 61 * SECOND)).toBeDefined()
    expect(await keys.of(first.serial, NOW_MS + 61 * SECOND)).toBeDefined()
    expect(fetched).toBe(2)
  })
  test('that could not be fetched are fetched again soon', async () => {
    let away = true
    const keys = platformKeys({ apiV3Key }, async () => {
      if (away) throw new Error('away')
      return answer(first)
    })
    expect(await keys.of(first.serial, NOW_MS)).toBeUndefined()
    away = false
    expect(await keys.of(first.serial, NOW_MS + SECOND)).toBeUndefined()
    expect(await keys.of(first.serial, NOW_MS + 5 * SECOND)).toBeDefined()
  })
  test('are good in their time only', async () => {
    const keys = platformKeys({ apiV3Key }, async () => answer(first))
    expect(await keys.of(first.serial, Date.parse('2021-04-27T08:55:22Z'))).toBeUndefined()
    expect(await keys.of(first.serial, NOW_MS)).toBeDefined()
    expect(await keys.of(first.serial, Date.parse('2031-04-25T08:55:23Z'))).toBeUndefined()
  })
  test('of a forger are none: locked under another key, changed, or under another’s serial number', () => {
    expect(certificatesIn(answer(first), Buffer.from('b'.repeat(32))).size).toBe(0)
    const changed = JSON.parse(answer(first)) as { data: { encrypt_certificate: { ciphertext: string } }[] }
    const locked = changed.data[0]!.encrypt_certificate
    const bytes = Buffer.from(locked.ciphertext, 'base64')
    bytes[100]! ^= 1
    locked.ciphertext = bytes.toString('base64')
    expect(certificatesIn(JSON.stringify(changed), apiV3Key).size).toBe(0)
    expect(certificatesIn(answer({ ...first, serial: nextCertificate.serial }), apiV3Key).size).toBe(0)
  })
})

describe('a public key', () => {
  test('is known by its id, and nobody is asked', async () => {
    const published = { id: KEY_ID, key: stranger.publicKey }
    const keys = platformKeys({ apiV3Key, published }, () => Promise.reject(new Error('asked')))
    expect((await keys.of(KEY_ID, NOW_MS))?.equals(stranger.publicKey)).toBe(true)
    expect(await keys.of(KEY_ID.replace('0114', '0115'), NOW_MS)).toBeUndefined()
    expect(await keys.of('', NOW_MS)).toBeUndefined()
  })
  test('and a certificate are both good while a merchant changes from one to the other', async () => {
    const published = { id: KEY_ID, key: stranger.publicKey }
    const keys = platformKeys({ apiV3Key, published }, async () => answer(first))
    expect(await keys.of(KEY_ID, NOW_MS)).toBeDefined()
    expect(await keys.of(first.serial, NOW_MS)).toBeDefined()
  })
})
