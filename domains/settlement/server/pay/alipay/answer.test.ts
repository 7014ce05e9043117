import { describe, expect, test } from 'vitest'
import { answerIn, membersOf } from './answer.ts'
import { alipayKeys, anAccount, answered, strangerKeys } from './testing.ts'

// A public key and an answer that Alipay publishes in the tests of its own SDK.
const PUBLISHED_KEY =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAk7LzhmMa2c4qQd4fqAqenfbuFoA7stPKvoS1LrZEsVnOOGUUjwoa1oU9xsSPjcOWhIerU/VAN4J95GIAXx59ipcleIyfLn2FhHXPgLJpvo+b2jJFyn/1/DbeJDh+0yDVAOf50Z7HhI0mdUhFMkXlT7BU0ZMtJf/TmISFEfhDU/w6qFd6D42L97byAkq0K6LroglSVF24GqJEa7hSeUIkZWj7RasykXrc2uVJ1+ejkXE0LyPxa2AHykMGbJLf5SiZvaNzUZgnKIR36mLOHpQ/2JCXxhXZYUWHzy0kMH54JcUEeksFWBYLGvLjV1phbcUIc3Q76tIuqApY6E222OoZZQIDAQAB'
const PUBLISHED_ANSWER =
  '{"alipay_open_file_upload_response":{"code":"10000","msg":"Success","file_id":"CAxAToWB1JsAAAAAAAAAAAAADgSLAQBr"},"sign":"F+LDzpTNiavn7xVZPGuPCSSVRSmWzJGgtuji6tVELGEaqMaNj0jRKXUEr5nloZJBBmwEnddOyCjjepMmrTKTvoOqQ0Efxpr/R1iEeHTHVbb/Q8TTh6Up5gHJDkILdaWS2q1cWeQ6VT+HQY9P3WRXS7uhILHuDODIhpAyCu5KhWGt0rMCIG+Im6NODJP2oohtSCtmTFXg58HH587Z2y2bdbjzOxLvzD9IrU1imghXQ2S/Q+wMIvRk9on6cWnBLkrNvJKapA2ReNGWOwyuASvB9zDVzhMPbR+3mfRGkVDxsq5HYLjBKGskJMXHw0HuugZij6ScRuaLPODhmHwr/pJ9yw=="}'

const QUERY = 'alipay.trade.query'
const account = anAccount()
const node = {
  code: '10000',
  msg: 'Success',
  out_trade_no: 'DD1-1',
  note: 'a "quoted" }{ \\ brace, "sign":"x"',
  list: [{ a: 1 }, '}]'],
  url: 'https://x/y',
}

describe('what Alipay signed', () => {
  test('its published answer is verified with its published key', () => {
    const published = anAccount({ trust: { publicKey: PUBLISHED_KEY } })
    expect(answerIn(PUBLISHED_ANSWER, 'alipay.open.file.upload', published).node).toMatchObject({ file_id: 'CAxAToWB1JsAAAAAAAAAAAAADgSLAQBr' })
    expect(() => answerIn(PUBLISHED_ANSWER.replace('CAxA', 'CBxA'), 'alipay.open.file.upload', published)).toThrow(/not signed by Alipay/)
  })

  test.each([
    ['as it is written', JSON.stringify(node)],
    ['with spaces and lines', JSON.stringify(node, null, 2)],
    ['with its slashes escaped', JSON.stringify(node).replaceAll('/', '\\/')],
    ['with its Chinese escaped', '{"code":"10000","msg":"\\u6210\\u529f"}'],
  ])('a node is verified over its own characters, %s', (_, raw) => {
    expect(answerIn(answered(QUERY, raw), QUERY, account)).toEqual({ node: JSON.parse(raw), signed: true })
  })
  test('whose slashes were escaped after it was signed', () => {
    const raw = JSON.stringify(node)
    const sent = answered(QUERY, raw).replace(raw, raw.replaceAll('/', '\\/'))
    expect(answerIn(sent, QUERY, account).node).toEqual(node)
  })
  test('wherever its signature stands, and whatever stands between', () => {
    const raw = JSON.stringify(node)
    const sign = alipayKeys.sign(raw)
    expect(answerIn(`{ "sign" : "${sign}" ,\n "alipay_trade_query_response"\n:\n ${raw} , "alipay_cert_sn":"x" }`, QUERY, account).node).toEqual(node)
  })
  test('in certificate mode by the key that it names', () => {
    const byName = { ...account, alipayKeys: new Map([['s1', [...account.alipayKeys.values()][0]!]]) }
    const named = (serial: string) => answered(QUERY, node).replace(/\}$/, `,"alipay_cert_sn":"${serial}"}`)
    expect(answerIn(named('s1'), QUERY, byName).node).toEqual(node)
    expect(() => answerIn(named('s2'), QUERY, byName)).toThrow(/not signed by Alipay/)
  })
  test('an error may come under the name of all errors', () => {
    const raw = '{"code":"40002","sub_code":"isv.invalid-signature"}'
    expect(answerIn(`{"error_response":${raw},"sign":"${alipayKeys.sign(raw)}"}`, QUERY, account).signed).toBe(true)
    expect(answerIn(`{"error_response":${raw}}`, QUERY, account).signed).toBe(false)
  })
})

describe('what nobody signed', () => {
  const raw = JSON.stringify(node)
  const good = answered(QUERY, raw)
  const paid = '{"code":"10000","trade_status":"TRADE_SUCCESS"}'
  test.each([
    ['another’s signature', answered(QUERY, raw, strangerKeys)],
    ['a changed value', good.replace('DD1-1', 'DD1-2')],
    ['a changed space', good.replace('"code":', '"code": ')],
    ['no signature', `{"alipay_trade_query_response":${raw}}`],
    ['a success under the name of errors without a signature', `{"error_response":${paid}}`],
    ['an empty signature', `{"alipay_trade_query_response":${raw},"sign":""}`],
    ['a signature that is no text', `{"alipay_trade_query_response":${raw},"sign":{}}`],
    ['the answer of another method', answered('alipay.trade.precreate', raw)],
    ['a second node of the same name', good.replace('{', `{"alipay_trade_query_response":${paid},`)],
    ['a second signature', good.replace(/\}$/, `,"sign":"${strangerKeys.sign(raw)}"}`)],
    ['a node that is a text', answered(QUERY, '"10000"')],
    ['a node that is a list', answered(QUERY, '[1]')],
  ])('%s', (_, text) => {
    expect(() => answerIn(text, QUERY, account)).toThrow(/not signed by Alipay/)
  })
  test('an answer that is cut says nothing, wherever it is cut', () => {
    for (let at = 0; at < good.length; at += 7) expect(() => answerIn(good.slice(0, at), QUERY, account)).toThrow(/not available/)
    expect(() => answerIn('<html>502 Bad Gateway</html>', QUERY, account)).toThrow(/not available/)
  })
})

test('the members of an object are told as they are written', () => {
  expect([...membersOf(' {"a" : {"b":[1,{"c":"}"}]} ,"d":-1.5e3,"e":"\\"",  "f":null}')!]).toEqual([
    ['a', '{"b":[1,{"c":"}"}]}'],
    ['d', '-1.5e3'],
    ['e', '"\\""'],
    ['f', 'null'],
  ])
  expect([...membersOf('{}')!]).toEqual([])
  expect(membersOf('[{"a":1}]')).toBeUndefined()
})
