import type { Browser, Page } from 'playwright-core'
import { signIn } from '../../city/client.ts'
import { lanesOf, PARKS } from '../../city/plan.ts'
import { setUp } from '../../city/setup.ts'
import { enrol, hashOf } from '../../domains/device/server/api.ts'
import { DEMO_ENTERPRISE } from '../../domains/identity/server/api.ts'
import { type Lane, lane } from '../../gateways/mqtt/simulator.ts'
import { PASSWORD, startTestServer, type TestServer } from '../support/server.ts'

export interface District {
  server: TestServer
  /** The first park's two lanes, each a real device over MQTT. */
  entrance: Lane
  exit: Lane
  close(): Promise<void>
}
const BARRIER = 1

/** Two parks with their rules, people and lanes, made through the public doors; no past. */
export async function openDistrict(): Promise<District> {
  const server = await startTestServer()
  const parks = PARKS.slice(0, 2)
  const secretHash = await hashOf(PASSWORD)
  await server.house.writing(DEMO_ENTERPRISE, 'test', async (tx) => {
    for (const park of parks)
      for (const { sn, name, gateCode } of lanesOf(parks, park))
        await enrol(tx, { sn, name, type: BARRIER, parkCode: park.parkCode, gateCode, secretHash })
  })
  await setUp(await signIn(server.url, 'admin', PASSWORD), parks)
  const device = { secret: PASSWORD, url: `mqtt://127.0.0.1:${server.mqttPort}`, http: server.url, passAfterMs: null }
  const [entrance, exit] = await Promise.all([
    lane({ sn: 'PG-0001', direction: 'in', ...device }),
    lane({ sn: 'PG-0002', direction: 'out', ...device }),
  ])
  return {
    server,
    entrance,
    exit,
    async close() {
      await Promise.all([entrance.close(true), exit.close(true)])
      await server.close()
    },
  }
}

/** A person at the console, signed in through its page. Chinese, 1440×900, without motion. */
export async function atConsole(browser: Browser, server: TestServer, username: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, timezoneId: 'Asia/Shanghai', reducedMotion: 'reduce' })
  await page.goto(`${server.url}/dist/login`)
  await page.fill('[name=username]', username)
  await page.fill('[name=password]', PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => !url.pathname.endsWith('/login'))
  return page
}
