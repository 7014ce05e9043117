import { expect, test } from 'vitest'
import { digestOf, PASSWORD, startTestServer, type TestServer } from '../../../tests/support/server.ts'

test('the cookie is for TLS alone where a trusted proxy says that it came so; of anybody else that is not believed', async () => {
  const forwarded = { 'x-forwarded-proto': 'https' }
  const cookieAt = async ({ url }: TestServer) => {
    const headers = { origin: url, 'sec-fetch-site': 'same-origin', ...forwarded }
    const body = new URLSearchParams({ username: 'admin', password: digestOf('admin', PASSWORD) })
    return (await fetch(`${url}/lbs/security/authentication/form`, { method: 'POST', headers, body })).headers.get('set-cookie')
  }
  for (const [proxy, believed] of [
    [undefined, false],
    ['loopback', true],
    ['10.0.0.0/8', false],
  ] as const) {
    const behind = await startTestServer(proxy ? { trustProxy: [proxy] } : {})
    expect((await cookieAt(behind))?.endsWith('; Secure')).toBe(believed)
    await behind.close()
  }
})
