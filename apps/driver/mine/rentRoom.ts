import { plural } from '../../../platform/contract/plural.ts'
import { Trouble } from '../ask.ts'
import { node } from '../node.ts'
import { lasting, say, type Text, yuan } from '../say.ts'
import { button, moment, type Page, row, words } from './parts.ts'
import { bidMessage, sealed } from '../../../platform/web/sealing.ts'
import { type BidRoom, type Let, place, placeSealed, room } from './rentAsk.ts'

/** So often the room is looked at while it is open. */
const LOOK_MS = 2_000
const FEN = 100
/** From so many times what is needed on, whoever bids is told how many: it may be a zero too many. */
const MUCH = 2
/** As in the contract's `ProjectType`. */
const SEALED = 3
let project: Pick<Let, 'id' | 'name' | 'extendMin'> | undefined
let seen: BidRoom | undefined
let typed = ''
let looking: ReturnType<typeof setInterval> | undefined

export const inRoom = (): boolean => project !== undefined
export function leaveRoom(): void {
  clearInterval(looking)
  ;[project, seen, typed] = [undefined, undefined, '']
}
export function enterRoom(page: Page, one: Let): void {
  leaveRoom()
  project = one
  page.looking(async () => void (seen = await room(one.id)))
  looking = setInterval(() => void look(page), LOOK_MS)
}
/** Nobody is disturbed while they type: only what stands is drawn anew. */
async function look(page: Page): Promise<void> {
  const of = project
  if (!of || page.busy || document.hidden) return
  const next = await room(of.id).catch(() => undefined)
  if (!next || project !== of || page.busy) return
  seen = next
  document.querySelector('#room-now')?.replaceWith(standing(next))
}

function standing(seen: BidRoom): HTMLElement {
  return seen.type === SEALED ? closed(seen) : openly(seen)
}
/** Whose bids are there, and the hashes by which nobody can change them; what they say is not known to anybody before they are opened. */
function closed({ enrollId, baseFen, endsAt, bidderNo, mineFen, rank, attested, sealed: placed, openedAt }: BidRoom): HTMLElement {
  const own = placed.find((one) => one.bidderNo === bidderNo)
  return node(
    'div',
    { id: 'room-now', role: 'status' },
    node('p', { className: 'due', textContent: say(own ? ['已提交密封报价', 'Your sealed bid is placed'] : ['尚未报价', 'You have not bid yet']) }),
    node(
      'dl',
      {},
      row(say(['起始价', 'Starting price']), yuan(baseFen), 'sum'),
      row(say(['截止', 'Ends']), moment(endsAt)),
      row(say(['我的竞租号', 'My bidder number']), bidderNo === null ? '–' : String(bidderNo)),
      openedAt === null &&
        own &&
        keptSums()[enrollId] !== undefined &&
        row(say(['我的报价（仅存于本机）', 'My bid (kept on this device)']), yuan(keptSums()[enrollId]!)),
      openedAt !== null && row(say(['开标时间', 'Bids opened at']), moment(openedAt)),
      openedAt !== null && row(say(['我的报价', 'My bid']), mineFen !== null ? yuan(mineFen) : own ? say(['无效', 'Void']) : '–'),
      openedAt !== null && rank !== null && row(say(['我的名次', 'My rank']), String(rank)),
    ),
    !attested && words(['认证审核通过后才能出价', 'You can bid once your verification has passed'], 'wrong'),
    node(
      'ol',
      {},
      ...placed.map((one) =>
        node('li', { textContent: say([`${one.bidderNo} 号 ${moment(one.at)} ${one.hash}`, `No. ${one.bidderNo}, ${moment(one.at)}: ${one.hash}`]) }),
      ),
    ),
  )
}
function openly({ currentFen, nextFen, endsAt, now, rank, mineFen, bidderNo, bids, last, attested, mayBid }: BidRoom): HTMLElement {
  const leftS = Math.max(0, Math.round((Date.parse(endsAt) - Date.parse(now)) / 1000))
  const left = `${String(Math.floor(leftS / 3600)).padStart(2, '0')}:${String(Math.floor(leftS / 60) % 60).padStart(2, '0')}:${String(leftS % 60).padStart(2, '0')}`
  return node(
    'div',
    { id: 'room-now', role: 'status' },
    node('p', { className: 'due', textContent: currentFen === null ? say(['还没有人出价', 'No bids yet']) : yuan(currentFen) }),
    node(
      'dl',
      {},
      row(say(['最低出价', 'Minimum bid']), yuan(nextFen), 'sum'),
      row(
        say(['截止', 'Ends']),
        attested ? `${moment(endsAt)} · ${mayBid ? left : say(['已结束或未开始', 'ended or not started'])}` : moment(endsAt),
      ),
      row(say(['我的竞租号', 'My bidder number']), bidderNo === null ? '–' : String(bidderNo)),
      row(say(['我的报价', 'My bid']), mineFen === null ? '–' : yuan(mineFen)),
      row(say(['我的名次', 'My rank']), rank === null ? '–' : String(rank)),
      row(say(['出价次数', 'Bids']), String(bids)),
    ),
    !attested && words(['认证审核通过后才能出价', 'You can bid once your verification has passed'], 'wrong'),
    node(
      'ol',
      {},
      ...last
        .slice(0, 8)
        .map((one) => node('li', { textContent: say([`${one.bidderNo} 号 ${yuan(one.bidFen)}`, `No. ${one.bidderNo}: ${yuan(one.bidFen)}`]) })),
    ),
  )
}
const tooLow = (baseFen: number) =>
  new Trouble(say([`报价不能低于起始价 ${yuan(baseFen)}`, `A bid cannot be below the starting price of ${yuan(baseFen)}`]))
/** Closed here: how much it is leaves this device only when two holders open it. */
async function seal(fen: number): Promise<BidRoom> {
  const { sealKey, enrollId } = seen!
  const bid = await sealed(sealKey!, bidMessage(enrollId, fen)).catch(() => {
    throw new Trouble(
      say(['浏览器版本过低，不能加密报价，请升级或换用其他浏览器', 'This browser is too old to encrypt the bid: update it or use another one']),
    )
  })
  const placed = await placeSealed(project!.id, bid)
  keepSum(enrollId, fen)
  return placed
}
/** Nobody reads the bid before it is opened, the bidder's own page neither: what was typed is kept on this telephone alone. */
const SUMS_KEY = 'rent/sealed'
const keptSums = (): Record<string, number> => {
  try {
    return JSON.parse(localStorage.getItem(SUMS_KEY) ?? '{}') as Record<string, number>
  } catch {
    return {}
  }
}
function keepSum(enrollId: string, fen: number): void {
  try {
    localStorage.setItem(SUMS_KEY, JSON.stringify({ ...keptSums(), [enrollId]: fen }))
  } catch {
    // A browser that keeps nothing: the bid is placed all the same.
  }
}
export function roomPart(page: Page): Node[] {
  const { id, name, extendMin } = project!
  const back = button(['返回', 'Back'], page, () => (leaveRoom(), page.redraw()), 'quiet')
  if (!seen) return [words(['正在加载…', 'Loading…'], 'aside'), back]
  const input = node('input', {
    type: 'text',
    inputMode: 'decimal',
    value: typed || (seen.nextFen / FEN).toFixed(2),
    disabled: page.busy,
    ariaLabel: say(['出价（元／年）', 'Bid, yuan a year']),
  })
  input.addEventListener('input', () => (typed = input.value))
  const isSealed = seen.type === SEALED
  const bid = () => {
    const fen = Math.round(Number(input.value.replaceAll(',', '')) * FEN)
    if (!Number.isSafeInteger(fen) || fen <= 0) return void input.focus()
    // Nobody can read it before it is opened, and then it would be void.
    if (isSealed && fen < seen!.baseFen) return page.looking(() => Promise.reject(tooLow(seen!.baseFen)))
    const times = Math.floor((fen / (isSealed ? seen!.baseFen : seen!.nextFen)) * 10) / 10
    const [zhMuch, enMuch] =
      times >= MUCH
        ? [
            `，是${isSealed ? '起始价' : '最低出价'}的 ${times} 倍`,
            `, ${times} ${plural(times, 'time')} the ${isSealed ? 'starting price' : 'minimum bid'}`,
          ]
        : ['', '']
    const sure: Text = isSealed
      ? [
          `密封报价 ${yuan(fen)}／年${zhMuch}？只能提交一次，不能更改`,
          `Seal a bid of ${yuan(fen)} a year${enMuch}? It is placed once and cannot be changed`,
        ]
      : [`${name}：出价 ${yuan(fen)}／年${zhMuch}？出价后不能撤回`, `${name}: bid ${yuan(fen)} a year${enMuch}? A bid cannot be withdrawn`]
    if (!confirm(say(sure))) return
    page.looking(async () => {
      typed = ''
      seen = await (isSealed ? seal(fen) : place(id, fen)).catch(async (error: Error) => {
        seen = await room(id)
        throw error
      })
    })
  }
  const rules: Text = isSealed
    ? [
        '报价在本机加密，报价截止后由两位密钥持有人开启；报价相同的，先提交者优先。',
        'Bids are encrypted on this device and opened by two key holders after the end; of equal bids the earlier wins.',
      ]
    : [
        `以服务器收到的时间为准；最后 ${lasting(extendMin)}内有人出价，截止顺延 ${lasting(extendMin)}。`,
        `Server time counts; a bid in the last ${lasting(extendMin)} extends the end by ${lasting(extendMin)}.`,
      ]
  return [
    node(
      'section',
      {},
      node('h2', { textContent: name }),
      standing(seen),
      ...(seen.mayBid
        ? [
            node('label', {}, node('span', { textContent: say(['出价（元／年）', 'Bid, yuan a year']) }), input),
            button(['出价', 'Bid'], page, bid, 'main'),
          ]
        : []),
      words(rules, 'aside'),
    ),
    back,
  ]
}
