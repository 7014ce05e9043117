import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { keysOf } from './keys.ts'
import { page, signer } from './published/testing.ts'
import { authorization, newNonce, pageParams, signatureOf } from './signing.ts'
import { account, pemOf, stranger } from './testing.ts'

describe('what WeChat and its SDK have published comes out here too', () => {
  test('a signature', () => {
    expect(signatureOf(signer.text, signer.key)).toBe(signer.signature)
  })
  test('the header of a request', () => {
    const request = { method: 'POST', target: '/v3/pay/transactions/jsapi', body: page.order, timestamp: page.timestamp, nonce: page.nonce } as const
    expect(authorization({ mchId: page.mchId, serialNo: page.serialNo, privateKey: page.key }, request)).toBe(
      `WECHATPAY2-SHA256-RSA2048 mchid="${page.mchId}",nonce_str="${page.nonce}",timestamp="${page.timestamp}",serial_no="${page.serialNo}",signature="${page.signature}"`,
    )
  })
  test('the parameters of a page', () => {
    const { appId, prepayId, key: privateKey, timestamp, nonce } = page
    const { paySign, ...params } = pageParams({ appId, prepayId, privateKey, timestamp, nonce })
    expect(params).toEqual({ appId, timeStamp: '1554208460', nonceStr: nonce, package: `prepay_id=${prepayId}`, signType: 'RSA' })
    expect(paySign.startsWith(page.paySignBegins) && paySign.endsWith(page.paySignEnds)).toBe(true)
  })
})

test('a nonce is new each time and has 32 signs', () => {
  const some = Array.from({ length: 100 }, newNonce)
  expect(new Set(some).size).toBe(100)
  expect(some.every((one) => /^[0-9A-F]{32}$/.test(one))).toBe(true)
})

describe('keys of a merchant', () => {
  const { privateKey: weak } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const { privateKey: curve } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const said = (more: Partial<typeof account>) => {
    try {
      keysOf({ ...account, ...more })
      return 'taken'
    } catch (error) {
      return error as { code: number; texts: readonly [string, string] }
    }
  }
  test('are taken as they are pasted', () => {
    expect(said({})).toBe('taken')
    expect(said({ privateKey: `\n${account.privateKey.replaceAll('\n', '\r\n')}\n` })).toBe('taken')
    // WeChat's own page shows the older form.
    expect(said({ privateKey: page.keyText.replaceAll('TESTING', 'PRIVATE') })).toBe('taken')
    expect(keysOf({ ...account, serialNo: '51:57:f0:9e:fd:c0:96:de' }).serialNo).toBe('5157F09EFDC096DE')
    const { publicKey: _, publicKeyId: __, ...certificates } = account
    expect(keysOf(certificates).published).toBeUndefined()
  })
  test.each([
    ['a private key that is no PEM', { privateKey: 'MIIEvgIBADANBgkqhkiG9w0BAQ' }, '商户私钥不是 PEM 文本', 'is no PEM text'],
    ['a private key of which lines are missing', { privateKey: cutLine(account.privateKey) }, '商户私钥无法读取', 'cannot be read'],
    ['a public key in its place', { privateKey: account.publicKey! }, '商户私钥无法读取', 'cannot be read'],
    ['a key that is too short', { privateKey: pemOf(weak) }, '2048', '2048'],
    ['a key of another kind', { privateKey: pemOf(curve) }, 'RSA', 'RSA'],
    ['an APIv3 key of 31 bytes', { apiV3Key: 'x'.repeat(31) }, '32 个字节', '32 bytes'],
    ['an APIv3 key of 32 signs that are more bytes', { apiV3Key: '钥'.repeat(32) }, '32 个字节', '32 bytes'],
    ['a merchant number with letters', { mchId: '19000001O9' }, '商户号应为数字', 'digits'],
    ['a merchant number that ends a header', { mchId: '1900000109",x="' }, '商户号应为数字', 'digits'],
    ['a serial number that is none', { serialNo: 'the new one' }, '十六进制', 'hexadecimal'],
    ['an id of a public key that is none', { publicKeyId: '5157F09EFDC096DE' }, 'PUB_KEY_ID_', 'PUB_KEY_ID_'],
    ['a public key without its id', { publicKeyId: '' }, 'PUB_KEY_ID_', 'PUB_KEY_ID_'],
    ['an id without its public key', { publicKey: '' }, '公钥不是 PEM 公钥', 'no public key'],
    ['a private key for the public one', { publicKey: pemOf(stranger.privateKey) }, '公钥不是 PEM 公钥', 'no public key'],
  ] as const)('%s is refused in both languages', (_, more, zh, en) => {
    const refused = said(more) as { code: number; texts: readonly [string, string] }
    expect(refused.code).toBe(40551)
    expect(refused.texts[0]).toContain(zh)
    expect(refused.texts[1]).toContain(en)
    // No part of a key is said back.
    expect(refused.texts.join(' ')).not.toMatch(/MII|BEGIN/)
  })
})
function cutLine(pem: string): string {
  return pem
    .split('\n')
    .filter((_, place) => place !== 5)
    .join('\n')
}
