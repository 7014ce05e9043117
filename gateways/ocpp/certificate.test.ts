import { afterAll, beforeAll, expect, test } from 'vitest'
import { aYard, type Yard } from '../../domains/charging/server/testing.ts'
import { giveSecret } from '../../domains/charging/server/api.ts'
import { commonNameIn, openCertificates } from './certificate.ts'
import { connectPile } from './simulator.ts'

const SECRET = 'demo-secret-of-piles'
/** One house behind an edge that checks certificates, one without. */
let yard: Yard
let bare: Yard
beforeAll(async () => {
  yard = await aYard({ trustProxy: ['loopback'], pileCertHeader: 'x-client-cert' })
  bare = await aYard()
})
afterAll(async () => {
  await yard.close()
  await bare.close()
})

test('without an edge that checks certificates no pile is given profile 3', async () => {
  const saved = async (of: Yard) => {
    const { equipmentId } = await of.aPile()
    const [{ id, version }] = await of.sql<any>('select id, version from charging.equipment where equipment_id = $1', [equipmentId])
    const given = { id, version, securityProfile: 3, chargePointId: 'CP-CERT-0', protocol: 1 }
    return (await of.server.ask(of.admin, 'POST', '/lbs/charging/chargingPile/saveInfo', given)).code
  }
  expect(await saved(bare)).toBe(41335)
})

test('whose certificate it is, is believed of a trusted edge alone', () => {
  const request = (remoteAddress: string, said?: string | string[]) => ({ socket: { remoteAddress }, headers: { 'x-client-cert': said } }) as never
  const certified = openCertificates({ trustProxy: ['10.0.0.0/8', 'loopback'], pileCertHeader: 'x-client-cert' } as never)
  expect(certified(request('10.1.2.3', 'CP-1'))).toBe('CP-1')
  expect(certified(request('::ffff:127.0.0.1', 'CP-1'))).toBe('CP-1')
  expect(certified(request('::1', 'CP-1'))).toBe('CP-1')
  expect(certified(request('11.1.2.3', 'CP-1'))).toBeUndefined()
  expect(certified(request('10.1.2.3'))).toBeUndefined()
  expect(openCertificates({ trustProxy: ['loopback'] } as never)(request('127.0.0.1', 'CP-1'))).toBeUndefined()
  expect(['CP-1', 'CN=CP-1,O=Kerb', 'O=Kerb, cn=CP-1'].map(commonNameIn)).toEqual(['CP-1', 'CP-1', 'CP-1'])
  const named = [
    'CN=CP-1,O=\\E6\\B3\\8A\\E5\\9F\\8E\\, Ltd',
    'O=a\\,CN=CP-2,CN=CP-1',
    'CN=CP-1+serialNumber=7',
    'CN=CP\\2D1',
    'CN=CP\\\\2D1',
    'CN=CP\\-1',
  ].map(commonNameIn)
  expect(named).toEqual(['CP-1', 'CP-1', 'CP-1', 'CP-1', 'CP\\2D1', undefined])
  for (const nobodys of ['CN=CP-1\\', 'O="Kerb,CN=CP-1', 'CN=CP-1+CN=CP-2', '', 'O=Kerb', 'CN=CP-1,CN=CP-2', 'O=Kerb\\,CN=CP-1', 'O=Kerb/CN=CP-1'])
    expect(commonNameIn(nobodys)).toBeUndefined()
})

test('a pile of profile 3 comes in by its own certificate, by no secret and by nobody else’s certificate', async () => {
  const { equipmentId } = await yard.aPile()
  const id = 'CP-CERT-1'
  await yard.sql('update charging.equipment set charge_point_id = $2, protocol = 1, security_profile = 3 where equipment_id = $1', [equipmentId, id])
  await yard.server.house.writing(1, 'test', (tx) => giveSecret(tx, equipmentId, SECRET))
  const comes = (certificate?: string) =>
    connectPile({
      url: `ws://127.0.0.1:${yard.server.ocppPort}`,
      id,
      secret: SECRET,
      ...(certificate !== undefined && { headers: { 'x-client-cert': certificate } }),
    }).then(
      async (wire) => {
        await wire.close()
        return 'let in'
      },
      (error: Error) => error.message,
    )
  expect([await comes(), await comes('CP-OTHER')]).toEqual(['HTTP 401', 'HTTP 401'])
  const { data } = await yard.server.ask(yard.admin, 'POST', '/lbs/charging/chargingPile/link', { equipmentId })
  expect(data).toMatchObject({ refusal: 5 })
  expect(await comes(`CN=${id},O=Kerb`)).toBe('let in')
})

test('a refusal is written down once a minute for a pile, however often it comes', async () => {
  const { equipmentId } = await yard.aPile()
  const id = 'CP-CERT-2'
  await yard.sql('update charging.equipment set charge_point_id = $2, protocol = 1, security_profile = 3 where equipment_id = $1', [equipmentId, id])
  const comes = () => connectPile({ url: `ws://127.0.0.1:${yard.server.ocppPort}`, id, secret: SECRET }).catch((error: Error) => error.message)
  const refusedAt = async () => (await yard.sql<any>('select refused_at from charging.link where equipment_id = $1', [equipmentId]))[0]?.refusedAt
  expect(await comes()).toBe('HTTP 401')
  const first = await refusedAt()
  expect(first).toEqual(expect.any(String))
  for (let n = 0; n < 3; n++) expect(await comes()).toBe('HTTP 401')
  expect(await refusedAt()).toBe(first)
})
