import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allowOutside } from '../../../../../platform/server/outside.ts'
import { openidOf, signInAddress } from './openid.ts'

let server: Server
let host: string
let asked: URL
let answer: unknown
beforeAll(async () => {
  server = createServer((request, reply) => {
    asked = new URL(request.url!, 'http://x')
    reply.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  allowOutside([`127.0.0.1:${port}`])
  host = `http://127.0.0.1:${port}`
})
afterAll(() => void server.close())
const of = (code = '011aBcDe') => openidOf({ appId: 'wxd678efh567hg6787', appSecret: 'the app’s own', host }, code)

test('a page within WeChat is sent to WeChat and back, without a question to its reader', () => {
  expect(signInAddress({ appId: 'wxd678efh567hg6787', returnUrl: 'https://pay.example.cn/my/1?code=2', state: 'a1' })).toBe(
    'https://open.weixin.qq.com/connect/oauth2/authorize?appid=wxd678efh567hg6787&redirect_uri=https%3A%2F%2Fpay.example.cn%2Fmy%2F1%3Fcode%3D2&response_type=code&scope=snsapi_base&state=a1#wechat_redirect',
  )
  expect(() => signInAddress({ appId: 'wx', returnUrl: 'https://pay.example.cn', state: 'a&b' })).toThrow('letters and digits')
})
test('its code is changed for the openid', async () => {
  answer = { access_token: 'x', expires_in: 7200, refresh_token: 'y', openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o', scope: 'snsapi_base' }
  expect(await of('a/b&secret=c')).toBe('oUpF8uMuAJO_M2pxb1Q9zNjWeS6o')
  expect(asked.pathname).toBe('/sns/oauth2/access_token')
  expect(Object.fromEntries(asked.searchParams)).toEqual({
    appid: 'wxd678efh567hg6787',
    secret: 'the app’s own',
    code: 'a/b&secret=c',
    grant_type: 'authorization_code',
  })
})
test.each([
  ['a code that was used', { errcode: 40163, errmsg: 'code been used' }, 40553],
  ['a code that is none', { errcode: 40029, errmsg: 'invalid code' }, 40553],
  ['a wrong secret', { errcode: 40125, errmsg: 'invalid appsecret' }, 40552],
  ['a busy WeChat', { errcode: -1, errmsg: 'system error' }, 40502],
  ['a preview, of which the openid is made up', { openid: 'oMadeUp', is_snapshotuser: 1 }, 40554],
  ['an answer that is none', '<html>', 40502],
  ['an answer without an openid', { access_token: 'x' }, 40502],
])('%s is no sign-in', async (_, said, code) => {
  answer = said
  const refused = await of().catch((error: { code: number; texts: readonly string[] }) => error)
  expect(refused).toMatchObject({ code })
  expect(JSON.stringify(refused)).not.toContain('the app’s own')
})
