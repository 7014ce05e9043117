import { perKwh } from '../gunShow.ts'
import { node } from '../node.ts'
import { say, type Text, yuan } from '../say.ts'
import { type Car, type Charge, charges as chargesNow } from './ask.ts'
import {
  beginAt,
  endCharge,
  type Here,
  type Own,
  ownStationsNear,
  roamed,
  type Roamed,
  startAt,
  type Station,
  stationsNear,
  stop,
} from './chargingAsk.ts'
import { button, choice, empty, moment, type Page, row, sentence, words } from './parts.ts'

/** As in the contracts' `ChargeStatus` and `ConnectorStatus`. */
const STATES: Record<number, Text> = {
  0: ['待启动', 'Not started'],
  1: ['启动中', 'Starting'],
  2: ['充电中', 'Charging'],
  3: ['停止中', 'Stopping'],
  4: ['待结算', 'To be billed'],
  5: ['已完成', 'Done'],
  6: ['启动失败', 'Did not start'],
  7: ['账单核对中', 'Bill being checked'],
  8: ['已取消', 'Cancelled'],
}
const GUNS: Record<number, Text> = {
  0: ['离线', 'Offline'],
  1: ['空闲', 'Free'],
  2: ['已插枪', 'Plugged in'],
  3: ['充电中', 'Charging'],
  4: ['已预约', 'Reserved'],
  255: ['故障', 'Out of order'],
}
const [FREE, PLUGGED] = [1, 2]
const [CHARGING, DONE, FAILED] = [2, 5, 6]
const MAY_STOP = [1, CHARGING]
const RUNS = [0, 1, CHARGING, 3, 4]
const DC = 4
const VERIFIED = 1
const KWH = 1000
/** The amounts that a driver may set aside, in fen; what a charge does not use is released again. */
const HOLDS_FEN = [3_000, 5_000, 10_000, 20_000]
/** With less than that nobody begins. */
const LEAST_FEN = 500
/** While it charges it is looked at again after so long. */
const AGAIN_MS = 10_000

/** Of the house, or of a partner. */
type Anywhere = Own | Station
type Gun = Anywhere['guns'][number]
const isPartners = (one: Anywhere): one is Station => 'platformId' in one
let known: { own: Own[]; stations: Station[]; charges: Roamed[]; here: Charge[] } | undefined
let begun = false
let keyword = ''
let here: Here | undefined
/** The gun that is about to be started, and how much is put on hold for it. */
let chosen: { station: Anywhere; gun: Gun } | undefined
let holdFen = 5_000
let timer: ReturnType<typeof setTimeout> | undefined

const load = async () => {
  const wanted = { keyword, ...here }
  const [own, stations, charges, of] = await Promise.all([ownStationsNear(wanted), stationsNear(wanted), roamed(), chargesNow()])
  known = { own, stations, charges, here: of }
}
/** Refreshes running charges only; stations are looked up when the driver asks for them. */
const follow = async () => {
  const [charges, of] = await Promise.all([roamed(), chargesNow()])
  if (known) known = { ...known, charges, here: of }
}
/** Forgets the data, so that a driver who returns to this part sees it as it is by then. */
export function forgetCharging(): void {
  clearTimeout(timer)
  ;[known, begun, chosen] = [undefined, false, undefined]
}

export function chargingPart(page: Page, { cars, storedFen }: { cars: readonly Car[]; storedFen: number }): Node[] {
  if (!known) {
    if (begun && !page.busy) return [button(['重试', 'Try again'], page, () => page.looking(load), 'main')]
    if (!page.busy) begun = true
    if (begun) queueMicrotask(() => page.looking(load))
    return [words(['正在加载…', 'Loading…'], 'aside')]
  }
  const running = known.charges.filter(({ status }) => RUNS.includes(status))
  const past = known.charges.filter(({ status }) => !RUNS.includes(status))
  const [goesOn, over] = [known.here.filter(({ status }) => RUNS.includes(status)), known.here.filter(({ status }) => !RUNS.includes(status))]
  clearTimeout(timer)
  if (running.length + goesOn.length > 0 && !chosen) timer = setTimeout(() => !page.busy && page.looking(follow), AGAIN_MS)
  if (chosen) return [startCard(page, chosen, { cars, storedFen })]
  return [
    ...goesOn.map((one) => hereCard(page, one)),
    ...running.map((one) => runningCard(page, one)),
    searchCard(page),
    ...[...known.own, ...known.stations].map((one) => stationCard(page, one)),
    ...(known.own.length + known.stations.length > 0
      ? []
      : [empty(['没有找到充电站，请换一个名称或编号', 'No stations found: try another name or number'])]),
    ...(over.length > 0
      ? [node('section', {}, node('h3', { textContent: say(['充电订单', 'Charging sessions']) }), node('ul', {}, ...over.map(hereLine)))]
      : []),
    ...(past.length > 0
      ? [
          node(
            'section',
            {},
            node('h3', { textContent: say(['合作电站充电订单', 'Charging sessions at partner stations']) }),
            node('ul', {}, ...past.map(pastLine)),
          ),
        ]
      : []),
  ]
}

function searchCard(page: Page): HTMLElement {
  const find = () => page.looking(load)
  const field = node('input', {
    type: 'search',
    value: keyword,
    ariaLabel: say(['充电站名称或充电枪编号', 'Station name or connector number']),
    placeholder: say(['充电站名称或充电枪编号', 'Station name or connector number']),
    oninput: () => void (keyword = field.value.trim()),
    onchange: find,
  })
  const locate = () =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => ((here = { lng: coords.longitude, lat: coords.latitude }), find()),
      () => page.looking(() => Promise.reject(new Error(say(['无法获取位置，请按名称查找', 'Your position is not available: search by name'])))),
    )
  return node(
    'section',
    {},
    words(
      [
        '先插枪，再用储值余额启动；在本平台的充电枪上也可扫码用微信或支付宝预付。',
        'Plug in, then start from your balance. At our own connectors you can also scan the code and prepay by WeChat or Alipay.',
      ],
      'aside',
    ),
    field,
    node('div', { className: 'chips' }, button(['查找', 'Search'], page, find), button(['离我最近', 'Nearest to me'], page, locate)),
  )
}

const distance = (metres: number | null): string => (metres === null ? '' : metres < KWH ? `${metres} m` : `${(metres / KWH).toFixed(1)} km`)
function stationCard(page: Page, one: Anywhere): HTMLElement {
  const { stationName, address, metres, free, total, guns, parkFee, busineHours } = one
  const platformName = isPartners(one) ? one.platformName : say(['本平台', 'Our own'])
  return node(
    'section',
    {},
    node('h2', { textContent: stationName }),
    node('p', { className: 'aside', textContent: [platformName, address, distance(metres)].filter(Boolean).join(' · ') }),
    !isPartners(one) &&
      one.halted &&
      node('p', {
        role: 'alert',
        textContent: say(['本站因安全隐患暂停充电，请选择其他充电站。', 'Charging is suspended here for safety: choose another station.']),
      }),
    words([`可用充电枪 ${free} / 共 ${total} 把`, `Available connectors: ${free} of ${total}`]),
    node('ul', {}, ...guns.map((gun) => gunLine(page, one, gun))),
    total > guns.length &&
      words(['充电枪较多，这里没有全部列出，可按充电枪编号查找。', 'Not every connector is listed here: search by its number.'], 'aside'),
    (parkFee ?? busineHours) !== null && node('p', { className: 'aside', textContent: [busineHours, parkFee].filter(Boolean).join(' · ') }),
  )
}
/** A partner prices each gun, the house its station. */
const pricedBy = (station: Anywhere, gun: Gun) => (isPartners(station) ? (gun as Station['guns'][number]) : station)
const priceOf = ({ elecPriceE4, servicePriceE4 }: Pick<Own, 'elecPriceE4' | 'servicePriceE4'>) =>
  elecPriceE4 === null || servicePriceE4 === null ? say(['价格未知', 'Price unavailable']) : perKwh(elecPriceE4 + servicePriceE4)
function gunLine(page: Page, station: Anywhere, gun: Gun): HTMLElement {
  const { connectorId, status, connectorType, power } = gun
  const facts = `${connectorType === DC ? say(['直流', 'DC']) : say(['交流', 'AC'])} ${power} kW · ${priceOf(pricedBy(station, gun))}${say(['/度', '/kWh'])}`
  const head = node('span', {}, connectorId, node('small', { textContent: facts }))
  const state = say(GUNS[status] ?? GUNS[0]!)
  const may = status === FREE || status === PLUGGED
  const begin = button(['启动', 'Start'], page, () => ((chosen = { station, gun }), page.redraw()))
  begin.ariaLabel = `${say(['启动', 'Start'])} ${connectorId}`
  return node('li', { className: 'line' }, head, node('span', { className: 'sum' }, node('small', { textContent: state }), may && begin))
}

function startCard(
  page: Page,
  { station, gun }: { station: Anywhere; gun: Gun },
  { cars, storedFen }: { cars: readonly Car[]; storedFen: number },
): HTMLElement {
  const car =
    cars.find(({ isDefault, verifyState }) => isDefault && verifyState === VERIFIED) ?? cars.find(({ verifyState }) => verifyState === VERIFIED)
  const fen = HOLDS_FEN.find((one) => one === holdFen && one <= storedFen) ?? HOLDS_FEN.findLast((one) => one <= storedFen) ?? storedFen
  const amounts = HOLDS_FEN.filter((one) => one <= storedFen)
  const begin = () =>
    page.doing(async () => {
      const wanted = { connectorId: gun.connectorId, holdFen: fen, ...(car && { plateNo: car.plateNo }) }
      const { status, why } = isPartners(station)
        ? await startAt({ platformId: station.platformId, ...wanted })
        : { why: null, ...(await beginAt(wanted)) }
      ;[chosen, known, begun] = [undefined, undefined, false]
      if (status === FAILED) throw new Error(why ? say([why.zh, why.en]) : say(['启动失败', 'It did not start']))
    })
  return node(
    'section',
    {},
    node('h2', { textContent: `${station.stationName} · ${gun.connectorId}` }),
    node(
      'dl',
      {},
      ...pricedBy(station, gun).prices.map(({ from, elecPriceE4, servicePriceE4 }) =>
        sentence(
          say([`${from} 起`, `From ${from}`]),
          say([
            `电费 ${perKwh(elecPriceE4)} + 服务费 ${perKwh(servicePriceE4)} /度`,
            `${perKwh(elecPriceE4)} + ${perKwh(servicePriceE4)} service, per kWh`,
          ]),
        ),
      ),
      row(say(['储值余额', 'Balance']), yuan(storedFen)),
      car && row(say(['车辆', 'Car']), car.plateNo),
    ),
    amounts.length > 1 &&
      choice(
        page,
        ['将冻结', 'Amount to hold'],
        amounts.map(yuan),
        yuan(fen),
        (one) => void (holdFen = amounts.find((each) => yuan(each) === one) ?? fen),
      ),
    storedFen >= LEAST_FEN &&
      words(
        [
          `先冻结 ${yuan(fen)}，按账单实扣，余款解冻。费用接近冻结金额时自动停止。`,
          `${yuan(fen)} is put on hold; the bill is taken from it and the rest released. Charging stops before it is used up.`,
        ],
        'aside',
      ),
    storedFen < LEAST_FEN
      ? words([`余额不足 ${yuan(LEAST_FEN)}，请先充值。`, `Your balance is below ${yuan(LEAST_FEN)}: top it up first.`])
      : button(['启动充电', 'Start charging'], page, begin, 'main'),
    button(['返回', 'Back'], page, () => ((chosen = undefined), page.redraw()), 'second'),
  )
}

const kwhOf = (wh: number) => `${(wh / KWH).toFixed(2)} ${say(['度', 'kWh'])}`
function runningCard(page: Page, one: Roamed): HTMLElement {
  const { id, status, stationName, connectorId, energyWh, costFen, soc, startTime, saidAt, holdFen: held, orderNo } = one
  return node(
    'section',
    {},
    node('h2', { textContent: `${stationName} · ${connectorId}` }),
    node('p', { className: `told s${status === CHARGING ? 3 : 0}`, role: 'status', textContent: say(STATES[status] ?? ['', '']) }),
    node(
      'dl',
      {},
      row(say(['已充', 'Charged']), kwhOf(energyWh)),
      row(say(['费用', 'Cost']), yuan(costFen), 'sum'),
      soc !== null && row('SoC', `${soc}%`),
      startTime !== null && row(say(['开始', 'Started']), moment(startTime)),
      saidAt !== null && row(say(['更新于', 'Updated']), moment(saidAt), 'aside'),
      row(say(['已冻结', 'On hold']), yuan(held), 'aside'),
      row(say(['订单号', 'Session number']), orderNo, 'aside'),
    ),
    MAY_STOP.includes(status) && button(['停止充电', 'Stop charging'], page, () => page.looking(async () => (await stop(id), load())), 'main'),
  )
}
/** A charge at a gun of the house; who began it ends it. */
function hereCard(page: Page, { orderNo, status, stationName, connectorId, energyWh, costFen, startTime, own }: Charge): HTMLElement {
  return node(
    'section',
    {},
    node('h2', { textContent: `${stationName} · ${connectorId}` }),
    node('p', { className: `told s${status === CHARGING ? 3 : 0}`, role: 'status', textContent: say(STATES[status] ?? ['', '']) }),
    node(
      'dl',
      {},
      row(say(['已充', 'Charged']), kwhOf(energyWh)),
      row(say(['费用', 'Cost']), yuan(costFen), 'sum'),
      startTime !== null && row(say(['开始', 'Started']), moment(startTime)),
      row(say(['订单号', 'Session number']), orderNo, 'aside'),
    ),
    own &&
      MAY_STOP.includes(status) &&
      button(['停止充电', 'Stop charging'], page, () => page.looking(async () => (await endCharge(orderNo), load())), 'main'),
  )
}
const hereLine = ({ stationName, startTime, status, energyWh, costFen, plateNo }: Charge): HTMLElement =>
  node(
    'li',
    { className: 'line' },
    node(
      'span',
      {},
      stationName,
      node('small', { textContent: [plateNo, startTime && moment(startTime), say(STATES[status] ?? ['', ''])].filter(Boolean).join(' · ') }),
    ),
    node('span', { className: 'sum' }, yuan(costFen), node('small', { textContent: kwhOf(energyWh) })),
  )
const pastLine = ({ stationName, createdAt, status, energyWh, costFen, capturedFen, why }: Roamed): HTMLElement =>
  node(
    'li',
    { className: 'line' },
    node(
      'span',
      {},
      stationName,
      node('small', { textContent: [moment(createdAt), say(STATES[status] ?? ['', '']), why && say([why.zh, why.en])].filter(Boolean).join(' · ') }),
    ),
    node('span', { className: 'sum' }, yuan(status === DONE ? capturedFen : costFen), node('small', { textContent: kwhOf(energyWh) })),
  )
