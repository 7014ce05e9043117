import { randomBytes } from 'node:crypto'
import { demoPeople, ensureFirstAdministrator } from '../../domains/identity/server/api.ts'
import type { Running } from './server.ts'

/** The people, and with `DEMO=city` or `small` the city: once, at the first start. Says what a person needs to begin. */
export async function fillDemo({ house, url }: Running, say: (line: string) => void): Promise<void> {
  say(`Kerbline 泊城: ${url.replace('127.0.0.1', 'localhost')}/dist/`)
  if (house.config.demo === 'none') {
    const password = await ensureFirstAdministrator(house)
    if (password) say(`First sign-in: admin, one-time password ${password}`)
    return
  }
  const password = house.config.demoPassword ?? randomBytes(9).toString('base64url')
  await demoPeople(house, password)
  say(`Demo sign-ins: admin, operator, auditor, otheradmin; password ${password}`)
}
