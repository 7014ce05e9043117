import { expect, test, vi } from 'vitest'
import { ask } from '../../../platform/web/ask.ts'
import { picture } from '../contract/picture.ts'

test('calls.no-body-count: the number of pictures is asked for by a POST without a body', async () => {
  const sent: { url: string; init: RequestInit }[] = []
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal(
    'fetch',
    async (url: string, init: RequestInit) => (
      sent.push({ url, init }),
      Response.json({ code: 200, message: 'ok', data: { total: 2, today: 1, bySource: [] } })
    ),
  )
  expect(await ask(picture.count, {})).toEqual({ total: 2, today: 1, bySource: [] })
  vi.unstubAllGlobals()
  expect(sent.map(({ url, init }) => [url, init.method, init.body])).toEqual([
    ['/lbs/business/vehiclePicture/queryVehiclePictureCount', 'POST', undefined],
  ])
})
