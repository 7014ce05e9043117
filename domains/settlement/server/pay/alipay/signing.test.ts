import { createPublicKey, createSign, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { fenIn, instantIn, numberIn, titleOf, yuanOf } from './fields.ts'
import { isSigned, signatureOf, signedForm, textOf } from './signing.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

test('a form is signed by its names, its values as they are', () => {
  const fields = new Map([
    ['sign_type', 'RSA2'],
    ['method', 'alipay.trade.query'],
    ['app_id', '2021'],
    ['biz_content', '{"subject":"a=1&b=2 停车 100%"}'],
  ])
  expect(textOf(fields)).toBe('app_id=2021&biz_content={"subject":"a=1&b=2 停车 100%"}&method=alipay.trade.query&sign_type=RSA2')
  const form = signedForm(fields, privateKey)
  expect([...form.keys()]).toEqual([...fields.keys(), 'sign'])
  expect(isSigned(textOf(fields), form.get('sign')!, createPublicKey(privateKey))).toBe(true)
  expect(textOf([...fields].reverse())).toBe(textOf(fields))
})

test('a signature is of this text, by this key, in SHA-256', () => {
  const signature = signatureOf('停车=1', privateKey)
  expect(isSigned('停车=1', signature, publicKey)).toBe(true)
  expect(isSigned('停车=2', signature, publicKey)).toBe(false)
  for (const wrong of ['', '=', 'AAAA', `${signature} `, signature.slice(4), '签名'.repeat(100)])
    expect(isSigned('停车=1', wrong, publicKey)).toBe(false)
  expect(isSigned('停车=1', createSign('sha1').update('停车=1').sign(privateKey, 'base64'), publicKey)).toBe(false)
})

test('amounts are exact yuan', () => {
  expect([1, 10, 99, 100, 1250, 100_000_000].map(yuanOf)).toEqual(['0.01', '0.10', '0.99', '1.00', '12.50', '1000000.00'])
  expect(['0.01', '12.5', '7', '1000000.00'].map(fenIn)).toEqual([1, 1250, 700, 100_000_000])
  for (const wrong of ['', '-1', '1.234', '1e3', '0x10', ' 1', '1,000.00', '1.00&trade_no=2', 1, null]) expect(fenIn(wrong)).toBeUndefined()
})

test('times are the city’s, with fractions or without', () => {
  expect(instantIn('2026-12-01 10:00:04')).toBe('2026-12-01T02:00:04.000Z')
  expect(instantIn('2026-12-01 10:00:04.123')).toBe('2026-12-01T02:00:04.000Z')
  for (const wrong of ['2026-02-30 10:00:00', 'now', '', null, 1]) expect(instantIn(wrong)).toBeUndefined()
})

test('numbers and titles hold nothing that could be another field', () => {
  expect(numberIn('DD20261201-1')).toBe('DD20261201-1')
  for (const wrong of ['', 'a&b=c', 'a b', '号', 'x'.repeat(129), 7]) expect(numberIn(wrong)).toBeUndefined()
  expect(titleOf('停车费 鄂F12345, A/B=C&D "x"')).toBe('停车费 鄂F12345 A B C D x')
  expect([...titleOf('车'.repeat(500))]).toHaveLength(128)
  expect(titleOf('&&')).toBe('parking')
})
