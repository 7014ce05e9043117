import { sql } from 'kysely'
import { agreeToDebit } from '../../city/office/agreements.ts'
import { addAfterSale } from '../../city/office/afterSale.ts'
import { signIn, stranger } from '../../city/client.ts'
import { fillPast } from '../../city/history/fill.ts'
import type { Belongs } from '../../city/history/load.ts'
import { connectCallCentre } from '../../city/calls.ts'
import { fillChargingPast } from '../../city/chargingPast.ts'
import { addAroundCharging, aroundCharging, shareLoad } from '../../city/charging.ts'
import { orWithout } from '../../city/child.ts'
import { addClearing } from '../../city/office/clearing.ts'
import { addOwners } from '../../city/office/customers.ts'
import { addFieldWork } from '../../city/fieldWork.ts'
import { addFinance, FINANCE } from '../../city/office/finance.ts'
import { addDispatcher, addFleet } from '../../city/fleet.ts'
import { addHandhelds, enrolHandhelds } from '../../city/handhelds.ts'
import { addLamps, enrolBoxes } from '../../city/lamps.ts'
import { laneOf } from '../../city/lane.ts'
import { addMembers } from '../../city/office/members.ts'
import { addMerchants, addPoints, letMerchantsIn } from '../../city/office/merchants.ts'
import { addMessages } from '../../city/office/messages.ts'
import { startNotifyProcess } from '../../city/notify/child.ts'
import { CITY_DAYS, lanesOf, OTHER_PARKS, PARKS, SMALL_DAYS, SMALL_PARKS } from '../../city/plan.ts'
import { startPayProcess } from '../../city/pay/child.ts'
import { addPapers } from '../../city/office/papers.ts'
import { connectPartner, roamOnce } from '../../city/partners.ts'
import { fillPiles, giveSecrets, playPiles, setUpPiles } from '../../city/piles.ts'
import { addReference } from '../../city/office/reference.ts'
import { addScheduledExports } from '../../city/office/scheduledExports.ts'
import { addRepairs } from '../../city/repairs.ts'
import { setUp } from '../../city/setup.ts'
import { signInOnce } from '../../city/signIns.ts'
import { addLettings, addRent } from '../../city/office/rent.ts'
import { addSharing } from '../../city/office/sharing.ts'
import { driveRounds, playTerminals } from '../../city/terminals.ts'
import { addInspection } from '../../city/inspection.ts'
import { addStaff } from '../../city/office/staff.ts'
import { addStreetWork, STREET_COLLECTOR } from '../../city/streetWork.ts'
import { DISTRICTS, enrolStreets, fillStreets, setUpStreets, SMALL_DISTRICTS } from '../../city/streets.ts'
import { enrol, hashOf } from '../../domains/device/server/api.ts'
import { DEMO_ENTERPRISE, demoPeople, ensureFirstAdministrator, OTHER_ENTERPRISE } from '../../domains/identity/server/api.ts'
import { demoServers } from '../../domains/system/server/api.ts'
import { DEMO_PORTS } from '../../platform/server/start/config.ts'
import type { House } from '../../platform/server/domain.ts'
import { allowOutside } from '../../platform/server/outside.ts'
import { type Part, partsOf } from './demoParts.ts'
import { demoPassword, keepPassword } from './demoPassword.ts'
import { sizeOf } from './demoSize.ts'
import type { Running } from './server.ts'

/** First start: the people, and with `DEMO=small` or `city` the city. Later starts find it. Says what a person needs to begin. */
export async function fillDemo(asked: Running, say: (line: string) => void): Promise<void> {
  if (!asked.app) return
  const running = { ...asked, house: { ...asked.house, config: { ...asked.house.config, demo: await sizeOf(asked.house, say) } } }
  const { house, url, readiness } = running
  const address = url.replace('127.0.0.1', 'localhost')
  if (house.config.demo === 'none') {
    const password = await ensureFirstAdministrator(house)
    say(`Kerbline 泊城: ${address}/dist/`)
    if (password) say(`First sign-in: admin, one-time password ${password}`)
    readiness.waitingFor = null
    return
  }
  const { password, isNew } = demoPassword(house.config)
  const part = partsOf(house)
  readiness.waitingFor = isNew ? '正在准备演示数据 Preparing the demo' : null
  if (isNew) {
    await demoPeople(house, password)
    await enrolLanes(house, password)
    await part('servers', () => demoServers(house, DEMO_ENTERPRISE, Date.now()))
  }
  const past = await cityOf(running, part, password)
  if (isNew) await enrolOthers(house, password)
  await fillParts(running, { part, past, password })
  if (isNew) await renewSecrets(running, password)
  // Parts outside the platform: where one does not start, or people have changed what led to it, the demo goes on.
  const beside = (what: Promise<unknown>) => orWithout(house.log, what)
  await beside(
    partnerOf(running, password).then(() => part('roaming', async () => roamOnce(house, await signIn(url, 'admin', password), DEMO_ENTERPRISE))),
  )
  const sentAt = await orWithout(house.log, messagesOf(running, password))
  await part('after-sale', () => afterSaleOnce(running, password))
  await beside(callsOf(running, password))
  if (house.config.demo !== 'city') await part('clearing', () => clearingOnce(house))
  if (isNew) keepPassword(house.config.dataDir)
  readiness.waitingFor = null
  say(`Kerbline 泊城: ${address}/dist/`)
  say(
    `Demo sign-ins: admin, operator, auditor, ${FINANCE.map(([username]) => username).join(', ')}, ${STREET_COLLECTOR.username}, otheradmin; password ${password}`,
  )
  say(
    `Demo pages for telephones: ${address}/my/${DEMO_ENTERPRISE} for drivers${sentAt ? `, with the code that stands at ${sentAt}` : ''}; ${address}/m for merchants, number ${await aMerchant(house)} and the same password`,
  )
  if (house.config.port !== 0 && !process.env['PAY_SANDBOX_URL'])
    await beside(
      startPayProcess({ dataDir: house.config.dataDir, port: house.config.port + DEMO_PORTS.pay }).then(() =>
        part('agreements', () => agreementsOnce(running, password)),
      ),
    )
  const { mqttPort, ocppPort, jt808Port } = running
  if (mqttPort !== undefined) await part('lanes', () => lanesOnce(running, mqttPort, password))
  if (house.config.demo === 'city')
    await beside(part('charging', () => fillChargingPast(house, DEMO_ENTERPRISE, { nowMs: Date.now(), days: CITY_DAYS })))
  if (ocppPort !== undefined) await beside(playPiles(house, DEMO_ENTERPRISE, { url: `ws://${new URL(url).hostname}:${ocppPort}`, secret: password }))
  if (jt808Port !== undefined) await beside(playTerminals(house, DEMO_ENTERPRISE, jt808Port))
  if (house.config.demo === 'city') {
    await part('city', () => fillCity(running, past, say))
      .then(() => part('clearing', () => clearingOnce(house)))
      .catch((error: Error) => house.log.error({ err: error }, 'The demo city was not filled; the next start goes on.'))
  }
}

/** In the order in which one needs another. */
async function fillParts(running: Running, { part, past, password }: { part: Part; past: CityPast; password: string }): Promise<void> {
  const { house } = running
  await part('finance', () => addFinance(house, DEMO_ENTERPRISE, password))
  await part('members', () => membersOnce(house, past))
  await part('handhelds', () => handheldsOnce(house))
  await part('streets', () => streetsOf(running, password))
  await part('piles', () => pilesOf(running, password))
  await part('lamps', () => lampsOnce(running, password))
  await part('past', () => fillPast({ ...past, fromDay: 0, toDay: SMALL_DAYS }))
  await part('sharing', () => sharingOnce(running, password))
  await part('fleet', () => fleetOnce(running, password))
  await part('rent', () => rentOnce(running, password))
  await part('staff', () => staffOnce(running, password))
  await part('inspection', () => inspectionOnce(running, password))
  await part('repairs', () => repairsOnce(running, password))
  await part('customers', () => customersOnce(running, password))
}

/** The devices that stand in parks and streets. */
async function enrolOthers(house: House, password: string): Promise<void> {
  await enrolHandhelds(house, DEMO_ENTERPRISE, password)
  await enrolBoxes(house, DEMO_ENTERPRISE, password)
  await enrolStreets(house, DEMO_ENTERPRISE, await hashOf(password), districtsOf(house))
}
/** Piles and merchants have theirs where they were made. */
async function renewSecrets({ house, url }: Running, password: string): Promise<void> {
  await giveSecrets(house, DEMO_ENTERPRISE, { secret: password, isNew: true })
  await letMerchantsIn(await signIn(url, 'admin', password), password)
}

/** Cars with a pass and cars on lists, unless an earlier start has brought them. */
async function membersOnce(house: House, { parks, belongs }: CityPast) {
  for (const enterprise of [DEMO_ENTERPRISE, OTHER_ENTERPRISE]) {
    const { rows } = await house.reading(enterprise, (tx) => sql`select from member.pass limit 1`.execute(tx))
    if (rows.length === 0)
      await addMembers(
        house,
        enterprise,
        parks.filter(({ parkCode }) => belongs.get(parkCode)!.enterprise === enterprise),
      )
  }
}

/** One park of the demo shares bays and keeps places, unless an earlier start has set it up. */
async function sharingOnce({ house, url }: Running, password: string) {
  const { rows } = await house.reading(DEMO_ENTERPRISE, (tx) => sql`select from share.park limit 1`.execute(tx))
  if (rows.length === 0) await addSharing(house, DEMO_ENTERPRISE, await signIn(url, 'admin', password), parksOf(house)[0]!.parkCode, Date.now())
}

/** Boxes beside some streets, with their last days, unless an earlier start has made them. */
async function lampsOnce({ house, url }: Running, password: string) {
  const { rows } = await house.reading(DEMO_ENTERPRISE, (tx) => sql`select from lamp.box limit 1`.execute(tx))
  if (rows.length === 0) await addLamps(house, DEMO_ENTERPRISE, await signIn(url, 'admin', password), Date.now())
}

/** The company's own cars, unless an earlier start has brought them. */
async function fleetOnce({ house, url, jt808Port }: Running, password: string) {
  const { rows } = await house.reading(DEMO_ENTERPRISE, (tx) => sql`select from fleet.vehicle limit 1`.execute(tx))
  if (rows.length > 0) return
  const dispatcher = await addDispatcher(house, DEMO_ENTERPRISE, password)
  await addFleet(await signIn(url, dispatcher, password), await signIn(url, 'admin', password), Date.now())
  if (jt808Port !== undefined) await driveRounds(jt808Port, Date.now())
}

/** Adds the company's rentals, unless an earlier start has added them. */
async function rentOnce({ house, url }: Running, password: string) {
  const { rows } = await house.reading(DEMO_ENTERPRISE, (tx) => sql`select from rent.project limit 1`.execute(tx))
  if (rows.length > 0) return
  const maker = await addLettings(house, DEMO_ENTERPRISE, password)
  const people = { maker: await signIn(url, maker, password), other: await signIn(url, 'admin', password), parkCode: parksOf(house)[0]!.parkCode }
  await addRent(house, DEMO_ENTERPRISE, people, Date.now())
}

/** The first shop: its number is what it signs in with. */
async function aMerchant(house: House): Promise<string> {
  const { rows } = await house.reading(DEMO_ENTERPRISE, (tx) =>
    sql<{ mchNo: string }>`select mch_no from merchant.merchant order by created_at, id limit 1`.execute(tx),
  )
  return rows[0]?.mchNo ?? '–'
}

/** Collectors with their roster and their cards, unless an earlier start has made them. */
async function staffOnce({ house, url }: Running, password: string) {
  const { rows } = await house.reading(DEMO_ENTERPRISE, (tx) => sql`select from staff.collector limit 1`.execute(tx))
  if (rows.length > 0) return
  const parkCodes = parksOf(house).map(({ parkCode }) => parkCode)
  const admin = await signIn(url, 'admin', password)
  const places = parkCodes.slice(0, 3)
  await addStaff(house, DEMO_ENTERPRISE, admin, places, Date.now())
  await addFieldWork(house, DEMO_ENTERPRISE, { url, password, parkCodes: places }, Date.now())
  await addStreetWork(house, DEMO_ENTERPRISE, admin, url, password, DISTRICTS[0]!)
}

/** Patrol rules with the tasks that they plan, unless an earlier start has made them. */
async function inspectionOnce({ house, url }: Running, password: string) {
  const { rows } = await house.reading(DEMO_ENTERPRISE, (tx) => sql`select from inspection.rule limit 1`.execute(tx))
  if (rows.length > 0) return
  const parkCodes = parksOf(house).map(({ parkCode }) => parkCode)
  await addInspection(await signIn(url, 'admin', password), parkCodes.slice(0, 3), Date.now())
}

/** Spare devices that broke, unless one was scrapped already: patrols open repairs too. */
async function repairsOnce({ house, url }: Running, password: string) {
  const { rows } = await house.reading(DEMO_ENTERPRISE, (tx) => sql`select from inspection.scrap limit 1`.execute(tx))
  const park = parksOf(house)[0]
  if (rows.length === 0 && park) await addRepairs(house, await signIn(url, 'admin', password), park.parkCode, Date.now())
}

/** The channels' files of the last days, unless some were imported. They tell of all that has been paid: the past is there before them. */
async function clearingOnce(house: House) {
  const { rows } = await house.reading(DEMO_ENTERPRISE, (tx) => sql`select from settlement.check_total limit 1`.execute(tx))
  if (rows.length === 0) await addClearing(house, DEMO_ENTERPRISE, Date.now())
}

/** Drivers with accounts, and shops that pay for some of them, at the first park. */
async function customersOnce({ house, url }: Running, password: string) {
  const { rows } = await house.reading(DEMO_ENTERPRISE, (tx) => sql`select from merchant.merchant limit 1`.execute(tx))
  if (rows.length > 0) return
  const [admin, park] = [await signIn(url, 'admin', password), PARKS[0]!]
  const lane = laneOf(house, admin, DEMO_ENTERPRISE, park)
  await addPoints(admin, park.parkCode)
  await addOwners(house, admin, DEMO_ENTERPRISE, { parkCode: park.parkCode, lane }, Date.now())
  await addMerchants(admin, park.parkCode, lane, password)
}

/** Some of the drivers have agreed that fees are taken as they leave, unless an earlier start has asked them: the channel must be there for it. */
async function agreementsOnce({ house, url }: Running, password: string) {
  const { rows } = await house.reading(DEMO_ENTERPRISE, (tx) => sql`select from owner.agreement limit 1`.execute(tx))
  if (rows.length > 0) return
  const admin = await signIn(url, 'admin', password)
  await agreeToDebit(house, admin, DEMO_ENTERPRISE, { url, lane: laneOf(house, admin, DEMO_ENTERPRISE, PARKS[0]!) })
}

/** The lanes of the first park and its antenna have been on line, unless an earlier start has seen them so. */
async function lanesOnce({ house, url }: Running, mqttPort: number, password: string) {
  const { rows } = await house.reading(DEMO_ENTERPRISE, (tx) => sql`select from device.etc limit 1`.execute(tx))
  if (rows.length > 0) return
  const address = { url, mqtt: `mqtt://127.0.0.1:${mqttPort}`, issuer: `http://127.0.0.1:${house.config.port + DEMO_PORTS.issuer}`, password }
  await signInOnce(await signIn(url, 'admin', password), address, parksOf(house).slice(0, 1))
}

/** Streets with their berths and the last days of them; the other districts of the city come behind the running server. */
async function streetsOf({ house, url }: Running, password: string) {
  const districts = districtsOf(house)
  await setUpStreets(house, await signIn(url, 'admin', password), DEMO_ENTERPRISE, password, districts)
  await fillStreets(house, DEMO_ENTERPRISE, districts.slice(0, SMALL_DISTRICTS), STREET_DAYS, Date.now())
}
const STREET_DAYS = 2
const districtsOf = ({ config }: House) => (config.demo === 'city' ? DISTRICTS : DISTRICTS.slice(0, SMALL_DISTRICTS))

/** Charging stations with their last days, and what stands around them: each as far as an earlier start has not made it. */
async function pilesOf({ house, url }: Running, password: string) {
  const nowMs = Date.now()
  const admin = await signIn(url, 'admin', password)
  await setUpPiles(house, admin, DEMO_ENTERPRISE, nowMs)
  await giveSecrets(house, DEMO_ENTERPRISE, { secret: password, isNew: false })
  await fillPiles(house, DEMO_ENTERPRISE, nowMs)
  const { platforms, loads } = await house.reading(DEMO_ENTERPRISE, aroundCharging)
  if (!platforms) await addAroundCharging(admin, nowMs)
  if (!loads) await shareLoad(house, admin, DEMO_ENTERPRISE)
}

/** Adds the logs of handhelds, unless there are some already. */
async function handheldsOnce(house: House) {
  const { rows } = await house.reading(DEMO_ENTERPRISE, (tx) => sql`select from system.pda_log limit 1`.execute(tx))
  if (rows.length === 0) await addHandhelds(house, DEMO_ENTERPRISE, Date.now())
}

/** The rest of the past, behind the running server. */
async function fillCity({ house, readiness }: Running, past: CityPast, say: (line: string) => void) {
  const begun = performance.now()
  let said = 0
  const progress = (done: number, of: number) => {
    readiness.demo = done < of ? { done, of } : null
    const percent = Math.floor((done / of) * 10) * 10
    if (percent > said) say(`Demo city: ${(said = percent)} % of ${CITY_DAYS} days of stays`)
  }
  await fillStreets(house, DEMO_ENTERPRISE, DISTRICTS.slice(SMALL_DISTRICTS), STREET_DAYS, past.nowMs)
  await fillPast({ ...past, fromDay: SMALL_DAYS + 1, toDay: CITY_DAYS, progress })
  if (said === 100) say(`Demo city: filled in ${Math.round((performance.now() - begun) / 1000)} s`)
}

/** Channels that lead to the sandbox provider, which listens beside the payment channel; and a week of messages. Where it shows what it sent; without it the next start brings them. */
async function messagesOf({ house, url }: Running, password: string): Promise<string | undefined> {
  const { port, dataDir } = house.config
  const after = (n: number) => (port === 0 ? 0 : port + n)
  const notify = await orWithout(house.log, startNotifyProcess({ dataDir, port: after(DEMO_PORTS.notify), mailPort: after(DEMO_PORTS.mail) }))
  if (!notify) return undefined
  allowOutside([new URL(notify.url).host, `127.0.0.1:${notify.mailPort}`])
  await addMessages(house, await signIn(url, 'admin', password), notify, Date.now())
  return `${notify.url}/sent`
}

/** Adds the feedback of customers of two parks, unless an earlier start has added it: repairs open work orders before. */
async function afterSaleOnce({ house, url }: Running, password: string) {
  const { rows } = await house.reading(DEMO_ENTERPRISE, (tx) => sql`select from after_sale.suggestion limit 1`.execute(tx))
  const parkCodes = parksOf(house).map(({ parkCode }) => parkCode)
  if (rows.length === 0) await addAfterSale(house, await signIn(url, 'admin', password), stranger(url), parkCodes.slice(0, 2), Date.now())
}

/** The call centre that the lanes of the first parks ring. */
async function callsOf({ house, url }: Running, password: string) {
  const parks = parksOf(house)
  const gates = parks.slice(0, 2).flatMap((park) => lanesOf(parks, park).map(({ gateCode }) => gateCode))
  await connectCallCentre(house, await signIn(url, 'admin', password), DEMO_ENTERPRISE, { url, gates, nowMs: Date.now() })
}

const parksOf = (house: House) => (house.config.demo === 'city' ? PARKS : PARKS.slice(0, SMALL_PARKS))
type CityPast = Awaited<ReturnType<typeof cityOf>>
/** Parks and rules as people make them, through the calls. What is filled in later is priced by the rules that were published then. */
async function cityOf({ house, url }: Running, part: Part, password: string) {
  const parks = parksOf(house)
  const { nowMs, own, others } = await part('parks', async () => {
    const admin = await signIn(url, 'admin', password)
    const own = [...(await setUp(admin, parks))]
    await addReference(admin)
    await addPapers(admin)
    await addScheduledExports(admin)
    return { nowMs: Date.now(), own, others: [...(await setUp(await signIn(url, 'otheradmin', password), OTHER_PARKS))] }
  })
  const belongs = new Map<string, Belongs>([
    ...own.map(([code, facts]) => [code, { enterprise: DEMO_ENTERPRISE, ...facts }] as const),
    ...others.map(([code, facts]) => [code, { enterprise: OTHER_ENTERPRISE, ...facts }] as const),
  ])
  return { ownerUrl: house.ownerUrl, parks: [...parks, ...OTHER_PARKS], belongs, nowMs }
}
/** The partner platform that the demo's sandbox plays, as at every start. */
const partnerOf = async ({ house, url }: Running, password: string) =>
  connectPartner(house, await signIn(url, 'admin', password), DEMO_ENTERPRISE, { url, nowMs: Date.now() })

/** Camera, barrier and sign of a lane are one device; its secret is the demo's password. */
const BARRIER = 1
async function enrolLanes(house: House, secret: string) {
  const secretHash = await hashOf(secret)
  for (const [enterprise, parks] of [
    [DEMO_ENTERPRISE, parksOf(house)],
    [OTHER_ENTERPRISE, OTHER_PARKS],
  ] as const)
    await house.writing(enterprise, 'demo', async (tx) => {
      for (const park of parks)
        for (const { sn, name, gateCode } of lanesOf(parks, park))
          await enrol(tx, { sn, name: `${park.name} ${name}`, type: BARRIER, parkCode: park.parkCode, gateCode, secretHash })
    })
}
