import { node } from '../node.ts'
import { say, type Text, yuan } from '../say.ts'
import { button, choice, empty, moment, type Page, payButtons, row, sentence, words } from './parts.ts'
import { picker } from '../picker.ts'
import { addPaper, attest, type Bidder, bidderMe, enrol, leases, type Let, lets, payEarnest, rentBills, withdraw } from './rentAsk.ts'
import { leasesPart, type OwnRent } from './rentLeases.ts'
import { enterRoom, inRoom, leaveRoom, roomPart } from './rentRoom.ts'
import { plural } from '../../../platform/contract/plural.ts'

/** As in the contract's `RentState`, `EnrollState`, `EarnestState`, `Award`, `Attestation` and `BillState`. */
const STATES: Record<number, Text> = {
  1: ['公告中', 'Announced'],
  2: ['报名中', 'Registration open'],
  3: ['报名截止', 'Registration closed'],
  4: ['竞价中', 'Bidding'],
  5: ['待定标', 'Award pending'],
  6: ['中标公示', 'Award published'],
  7: ['已签约', 'Signed'],
  8: ['履约中', 'Lease in progress'],
  9: ['已完成', 'Done'],
  10: ['流标', 'No award'],
  11: ['终止', 'Terminated'],
}
const ENROLLED: Record<number, Text> = {
  0: ['待缴保证金', 'Deposit due'],
  1: ['已缴保证金，待审核', 'Paid, under review'],
  2: ['报名通过', 'Qualified'],
  3: ['报名未通过', 'Rejected'],
  4: ['已放弃报名', 'Withdrawn'],
}
const EARNEST: Record<number, Text> = {
  0: ['未缴', 'Not paid'],
  1: ['已缴', 'Paid'],
  2: ['冻结', 'Frozen'],
  3: ['已转租金', 'Applied to rent'],
  4: ['已退', 'Returned'],
  5: ['没收', 'Forfeited'],
}
const [ENROLLING, CLOSED, BIDDING] = [2, 3, 4]
const [TO_PAY, WAITING, QUALIFIED] = [0, 1, 2]
const WON = 1
const [FIXED, OPEN, SEALED] = [1, 2, 3]
const [REVIEWED, REJECTED] = [1, 2]
const SHOWN = 6
const PAPERS_MAX = 3
const TYPES: Record<number, Text> = { 1: ['固定价', 'Fixed price'], 2: ['公开竞价', 'Open bidding'], 3: ['密封报价', 'Sealed bids'] }

interface Known {
  me: Bidder | undefined
  projects: Let[]
  own: OwnRent
}
let known: Known | undefined
let begun = false
const load = async () => {
  const [[me], projects, bills, own] = await Promise.all([bidderMe(), lets(), rentBills(), leases()])
  known = { me, projects, own: { bills, leases: own } }
}
/** Forgets the data, so that a driver who returns to this part sees it as it is by then. */
export const forgetRent = (): void => {
  ;[known, begun] = [undefined, false]
  leaveRoom()
}
const doing = (page: Page, work: () => Promise<unknown>) => page.looking(async () => (await work(), load()))

export function rentPart(page: Page): Node[] {
  if (inRoom()) return roomPart(page)
  if (!known) {
    // It could not be looked at: whoever wants it asks again.
    if (begun && !page.busy) return [button(['重试', 'Try again'], page, () => page.looking(load), 'main')]
    if (!page.busy) begun = true
    if (begun) queueMicrotask(() => page.looking(load))
    return [words(['正在加载…', 'Loading…'], 'aside')]
  }
  const { me, projects, own } = known
  return [
    who(page, me),
    ...leasesPart(page, own, (work) => doing(page, work)),
    ...(projects.length > 0 ? projects.map((one) => card(page, one, me)) : [empty(['暂无招租项目', 'No projects to let at the moment'])]),
  ]
}

const asked = { userType: 1, name: '', certNo: '' }
function who(page: Page, me: Bidder | undefined): HTMLElement {
  if (me?.state === REVIEWED) return words([`竞租人：${me.name}（已认证）`, `Bidder: ${me.name} (verified)`], 'aside')
  if (me && me.state !== REJECTED)
    return node(
      'section',
      {},
      words([`${me.name} 的认证正在审核，证照 ${me.pictures} 张`, `${me.name} is under review; pictures of papers: ${me.pictures}`]),
      words(['没有上传证照的，请携带原件到招租窗口核验。', 'Without pictures, bring the original papers to the leasing counter.'], 'aside'),
      me.pictures < PAPERS_MAX &&
        node(
          'label',
          { className: 'field' },
          node('span', { textContent: say(['补充证照', 'Add pictures of papers']) }),
          picker(page.busy, (files) => doing(page, () => sendPapers(files, me.pictures))),
        ),
    )
  const kinds = [say(['个人', 'Person']), say(['企业', 'Enterprise'])]
  const field = (name: Text, key: 'name' | 'certNo') => {
    const input = node('input', { type: 'text', value: asked[key], maxLength: 60, disabled: page.busy, ariaLabel: say(name) })
    input.addEventListener('input', () => (asked[key] = input.value))
    return node('label', {}, node('span', { textContent: say(name) }), input)
  }
  return node(
    'section',
    {},
    node('h2', { textContent: say(['竞租人认证', 'Bidder verification']) }),
    me?.opinion != null && words([`未通过：${me.opinion}`, `Not passed: ${me.opinion}`], 'wrong'),
    words(['认证通过后才能报名。', 'Get verified first, then register.'], 'aside'),
    choice(page, ['类型', 'Type'], kinds, kinds[asked.userType - 1]!, (one) => (asked.userType = kinds.indexOf(one) + 1)),
    field(['姓名或企业名称', 'Name or enterprise'], 'name'),
    field(['证件号', 'ID number'], 'certNo'),
    node(
      'label',
      { className: 'field' },
      node('span', { textContent: say([`证照（最多 ${PAPERS_MAX} 张）`, `Pictures of papers (up to ${PAPERS_MAX})`]) }),
      picker(page.busy, (files) => (papers = files), papers),
    ),
    button(['提交认证', 'Submit'], page, () => doing(page, send), 'main'),
  )
}

let papers: File[] = []
async function send(): Promise<void> {
  await attest({ ...asked, userType: asked.userType as 1 | 2, name: asked.name.trim(), certNo: asked.certNo.trim() })
  const [of] = await bidderMe()
  await sendPapers(papers, of?.pictures ?? 0)
  papers = []
}
async function sendPapers(files: readonly File[], has: number): Promise<void> {
  for (const file of files.slice(0, PAPERS_MAX - has)) await addPaper(file)
}

function card(page: Page, one: Let, me: Bidder | undefined): HTMLElement {
  const {
    name,
    parkName,
    assets,
    state,
    type,
    baseFen,
    stepFen,
    earnestFen,
    leaseMonths,
    enrollTo,
    bidFrom,
    endsAt,
    enrollState,
    earnestState,
    award,
    opinion,
    notice,
  } = one
  const toOpen = type === SEALED && state === BIDDING && Date.parse(endsAt) <= Date.now()
  return node(
    'section',
    {},
    node('h2', { textContent: name }),
    node('p', {
      className: `told s${(state === ENROLLING || state === BIDDING) && !toOpen ? 3 : 0}`,
      textContent: say(toOpen ? ['报价已截止，待开标', 'Bidding closed, bids to be opened'] : (STATES[state] ?? ['', ''])),
    }),
    node('p', { textContent: assets }),
    node(
      'dl',
      {},
      sentence(say(['车场', 'Car park']), parkName),
      row(say(['出租方式', 'Letting method']), say(TYPES[type] ?? ['', ''])),
      row(say(type === FIXED ? ['价格', 'Price'] : ['起始价', 'Starting price']), say([`${yuan(baseFen)}／年`, `${yuan(baseFen)} a year`])),
      type === OPEN && row(say(['加价幅度', 'Bid step']), yuan(stepFen)),
      row(say(['保证金', 'Earnest money']), yuan(earnestFen)),
      row(say(['租期', 'Lease term']), say([`${leaseMonths} 个月`, `${leaseMonths} ${plural(leaseMonths, 'month')}`])),
      row(say(['报名截止', 'Enrol until']), moment(enrollTo)),
      type !== FIXED && row(say(['竞价开始', 'Bidding from']), moment(bidFrom)),
      type !== FIXED && row(say(['竞价截止', 'Bidding until']), moment(endsAt)),
      enrollState !== null && row(say(['我的报名', 'My enrolment']), say(ENROLLED[enrollState] ?? ['', ''])),
      earnestState !== null && row(say(['我的保证金', 'My earnest money']), say(EARNEST[earnestState] ?? ['', ''])),
    ),
    notice !== null && node('details', {}, node('summary', { textContent: say(['公告', 'Notice']) }), node('p', { textContent: notice })),
    opinion !== null && words([`审核意见：${opinion}`, `Review comment: ${opinion}`], 'aside'),
    award === WON &&
      state <= SHOWN &&
      words(['您已中标，请按公示后的通知签约', 'You have won: sign the lease as notified after the award is shown'], ''),
    ...acts(page, one, me),
  )
}
function acts(page: Page, one: Let, me: Bidder | undefined): Node[] {
  const { id, state, type, enrollId, enrollVersion, enrollState, earnestFen, earnestState, award } = one
  const again = enrollState === null || enrollState > QUALIFIED
  if (again)
    return state === ENROLLING && me?.state === REVIEWED ? [button(['报名', 'Register'], page, () => doing(page, () => enrol(id)), 'main')] : []
  const pays = (enrollState === TO_PAY && state === ENROLLING) || (award === WON && earnestState === 0)
  return [
    ...(pays ? payButtons(page, earnestFen, (way) => payEarnest(enrollId!, way)) : []),
    ...(enrollState === QUALIFIED && type !== FIXED && (state === BIDDING || state === CLOSED)
      ? [button(['进入竞价', 'Enter bidding'], page, () => enterRoom(page, one), 'main')]
      : []),
    ...(state === ENROLLING && enrollState <= QUALIFIED
      ? [
          button(
            enrollState === WAITING || enrollState === QUALIFIED ? ['放弃报名并退款', 'Withdraw and refund'] : ['放弃报名', 'Withdraw'],
            page,
            () => confirm(say(['确定放弃报名？', 'Withdraw your enrolment?'])) && doing(page, () => withdraw(enrollId!, enrollVersion!)),
            'quiet',
          ),
        ]
      : []),
  ]
}
