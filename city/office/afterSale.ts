import { standardCase, CaseState } from '../../domains/after-sale/contract/case.ts'
import { evaluation } from '../../domains/after-sale/contract/evaluation.ts'
import { interview, InterviewResult, InterviewTarget, Solved } from '../../domains/after-sale/contract/interview.ts'
import { Level, type LevelCode } from '../../domains/after-sale/contract/level.ts'
import { suggestion, SuggestionKind, SuggestionResult } from '../../domains/after-sale/contract/suggestion.ts'
import { Finding, Handling, OrderSource, OrderType } from '../../domains/after-sale/contract/workOrder.ts'
import { handleOrder, openOrder } from '../../domains/after-sale/server/api.ts'
import { template, MessageKind, TemplateState } from '../../domains/message/contract/template.ts'
import type { CodeOf } from '../../platform/contract/field.ts'
import { DAY_MS, instantAt, MINUTE_MS } from '../../platform/contract/time.ts'
import { run } from '../../platform/server/database.ts'
import type { House } from '../../platform/server/domain.ts'
import type { Client } from '../client.ts'
import { ChannelType } from '../../domains/message/contract/channel.ts'

const ENTERPRISE = 1
const HOUR_MS = 60 * MINUTE_MS
const PEOPLE = [
  ['王建国', '16007102201', '鄂F3A218'],
  ['李晓梅', '16007102202', '鄂F6K902'],
  ['张伟', '16007102203', '鄂FD11870'],
  ['陈静怡', '16007102204', '鄂F90T16'],
  ['刘洋', '16007102205', '鄂A7M330'],
] as const
const { question, complaint, repair, plateAppeal, feeDispute } = OrderType

const CASES = [
  [
    repair,
    '出口道闸扫码后不抬杆',
    '<ol><li>在车道看板核对支付状态与开闸指令</li><li>指令已送达仍不抬：现场断电重启控制器</li><li>仍不抬：人工放行并报修</li></ol>',
    '道闸已恢复，给您带来不便请谅解；本次停车已正常结束，不会重复计费。',
  ],
  [
    feeDispute,
    '离场后继续计费',
    '<p>核对出口图片与离场时间：漏识别的按更正处理，多收部分申请退款后关联本工单。</p>',
    '经核实出口未识别到您的车辆，多收部分已为您申请退款，1 至 3 个工作日原路退回。',
  ],
  [plateAppeal, '车牌被误识别为他车', '<p>对照入场图片更正车牌；欠费挂错的同步撤销。</p>', '已更正为您的车牌，误记的欠费已撤销。'],
  [question, '月卡如何续费', '<p>小程序「我的月卡」或窗口续费，到期前 15 天可续。</p>', '月卡可在小程序「我的月卡」自助续费，到期前 15 天开放。'],
  [complaint, '收费员服务态度', '<p>调取时段录像核实，当日回复客户，涉事人员由班组长约谈。</p>', '已核实情况并对当班人员进行教育，感谢您的监督。'],
] as const

/**
 * Adds the feedback of the last weeks: cases, feedback, orders in every state, answers of customers when asked. Orders of the past
 * are stepped through by the domain's own clock.
 */
export async function addAfterSale(house: House, admin: Client, driver: Client, parkCodes: readonly string[], nowMs: number): Promise<void> {
  await makeTemplates(admin)
  for (const [category, title, content, answer] of CASES) {
    const { id, version } = await admin.ask(standardCase.add, { category, title, content, answer })
    await admin.ask(standardCase.update, { id, version, state: CaseState.published })
  }
  await admin.ask(standardCase.add, { category: repair, title: '岗亭断网时的收费', content: '<p>草稿：PDA 离线收费后补传。</p>' })
  const cases = (await admin.ask(standardCase.query, { state: [CaseState.published] })).records.map(({ id, category }) => ({ id, category }))
  await makeFeedback(house, admin, parkCodes)
  await makeOrders(house, parkCodes, cases, nowMs)
  await rate(house, driver)
  await interviews(admin)
}

/** The company writes its own address before the path. */
async function makeTemplates(admin: Client): Promise<void> {
  const sms = { kind: MessageKind.notice, channelType: ChannelType.sms, signName: '泊城停车' } as const
  const no = { name: 'no', label: '单号', sample: 'GD20261120093000001' }
  const both = [
    {
      ...sms,
      code: 'after-sale.reply',
      name: '反馈答复',
      title: '反馈答复',
      content: '您的反馈 {{no}} 已回复：{{reply}}',
      thirdTemplateId: 'SMS_100301',
      vars: [no, { name: 'reply', label: '回复', sample: '已处理，感谢您的建议' }],
    },
    {
      ...sms,
      code: 'after-sale.rate',
      name: '服务评价',
      title: '服务评价',
      content: '工单 {{no}}（{{title}}）已处理完毕，请评价：https://park.example.cn{{path}}',
      thirdTemplateId: 'SMS_100302',
      vars: [no, { name: 'title', label: '标题', sample: '道闸不抬杆' }, { name: 'path', label: '评价链接', sample: '/evaluate/1-abc' }],
    },
  ]
  for (const one of both) {
    const { id, version } = await admin.ask(template.insert, one)
    await admin.ask(template.update, { id, version, state: TemplateState.inUse })
  }
}

const SAID = [
  [SuggestionKind.complaint, '服务态度', '昨晚 8 点出口收费员态度恶劣，拒绝开发票'],
  [SuggestionKind.suggestion, '设施', '地下二层指示牌太少，建议在转弯处加装'],
  [SuggestionKind.praise, '服务', '值班师傅帮忙找到车位，非常热心'],
  [SuggestionKind.complaint, '计费', '停了不到两小时却按三小时收费'],
  [SuggestionKind.question, '月卡', '公司集体办理月卡是否有优惠？'],
  [SuggestionKind.suggestion, '充电', '希望增加快充桩，晚上排队太久'],
  [SuggestionKind.complaint, '环境', '车场地面积水多日无人处理'],
] as const
async function makeFeedback(house: House, admin: Client, parkCodes: readonly string[]): Promise<void> {
  for (const [n, [kind, category, content]] of SAID.entries()) {
    const [contactName, phone, plateNo] = PEOPLE[n % PEOPLE.length]!
    const one = await admin.ask(suggestion.add, {
      kind,
      category,
      content,
      source: n % 2 ? OrderSource.miniProgram : OrderSource.telephone,
      contactName,
      phone,
      plateNo,
      parkCode: parkCodes[n % parkCodes.length]!,
    })
    const shift = (SAID.length - n) * 2 * DAY_MS - 5 * HOUR_MS
    await house.writing(ENTERPRISE, 'demo', (tx) => run(tx, { sql: EARLIER }, [one.id, shift / 1000]))
    if (n >= 5) continue
    const accepted = await admin.ask(suggestion.accept, {
      id: one.id,
      version: one.version,
      accept: n !== 4,
      ...(n === 4 && { reason: '请联系月卡窗口，已电话告知' }),
    })
    if (n === 4 || n === 3) continue
    const replied = await admin.ask(suggestion.reply, {
      id: one.id,
      version: accepted.version,
      reply: n === 0 ? '已核实并教育当班人员，发票已补开，抱歉给您带来不便。' : '感谢您的意见，已转车场安排。',
    })
    const result = n === 0 ? SuggestionResult.explained : SuggestionResult.adopted
    if (n < 2) await admin.ask(suggestion.close, { id: one.id, version: replied.version, result })
  }
}
const EARLIER = `update after_sale.suggestion set created_at = created_at - $2 * interval '1 second', accept_due_at = accept_due_at - $2 * interval '1 second', reply_due_at = reply_due_at - $2 * interval '1 second'
  where enterprise_id = scope_enterprise() and id = $1`

interface Worker {
  userId: string
  userName: string
  may: ReadonlySet<string>
}
/** How far an order got, and how many hours ago it came in. */
type Far = 'closed' | 'solved' | 'working' | 'waiting' | 'assigned' | 'unassigned' | 'returned'
const ORDERS: readonly (readonly [CodeOf<typeof OrderType>, LevelCode, string, Far, number])[] = [
  [complaint, Level.high, '收费员未按标准收费', 'closed', 600],
  [repair, Level.middle, '出口道闸扫码后不抬杆', 'closed', 520],
  [question, Level.low, '咨询月卡续费方式', 'closed', 470],
  [feeDispute, Level.middle, '离场后仍在计费', 'closed', 410],
  [complaint, Level.middle, '充电桩旁油车占位', 'closed', 350],
  [repair, Level.high, '入口显示屏黑屏', 'closed', 300],
  [plateAppeal, Level.middle, '车牌被识别成他人车牌', 'closed', 240],
  [repair, Level.middle, '地感失灵，跟车出场', 'closed', 170],
  [question, Level.low, '发票抬头如何修改', 'solved', 60],
  [feeDispute, Level.high, '重复扣费两次', 'working', 30],
  [repair, Level.urgent, '道闸砸车', 'working', 3],
  [complaint, Level.middle, '消防通道长期被占', 'working', 90],
  [plateAppeal, Level.low, '新能源号牌识别为蓝牌', 'waiting', 80],
  [repair, Level.middle, '三号岗亭对讲无声', 'assigned', 5],
  [question, Level.low, '访客停车怎么预约', 'assigned', 20],
  [repair, Level.high, '车位引导灯大面积熄灭', 'returned', 26],
  [complaint, Level.high, '节日排队出场一小时', 'unassigned', 2],
  [question, Level.middle, '遗失物品查找', 'unassigned', 9],
]
async function makeOrders(
  house: House,
  parkCodes: readonly string[],
  cases: readonly { id: string; category: number }[],
  nowMs: number,
): Promise<void> {
  await house.writing(ENTERPRISE, 'demo', async (tx) => {
    const people = await run<{ username: string; id: string; name: string }>(tx, { sql: WHO }, [])
    const as = (username: string): Worker =>
      ((one) => ({ userId: one.id, userName: one.name, may: new Set(['after-sale:order:manage']) }))(people.find((one) => one.username === username)!)
    const [desk, hands] = [as('admin'), as('operator')]
    for (const [n, [type, level, title, far, hoursAgo]] of ORDERS.entries()) {
      const [contactName, contact, plateNo] = PEOPLE[n % PEOPLE.length]!
      const at = (hours: number) => instantAt(nowMs - hoursAgo * HOUR_MS + hours * HOUR_MS)
      const given = {
        title,
        type,
        level,
        source: n % 3 ? OrderSource.telephone : OrderSource.miniProgram,
        content: `客户反映：${title}。车辆 ${plateNo}，请尽快核实处理并回电。`,
        contactName,
        contact,
        plateNo,
        parkCode: parkCodes[n % parkCodes.length]!,
      }
      const order = await openOrder(tx, { ...given, ...(far !== 'unassigned' && { assigneeId: hands.userId }) }, desk, at(0))
      const step = (event: CodeOf<typeof Handling>, hours: number, opinion: string, more: object = {}, by = hands) =>
        handleOrder(tx, { id: order.id, event, opinion, ...more }, by, at(hours))
      const steps = STEPS[far]
      const used = cases.find(({ category }) => category === type)?.id
      if (steps > 0) await step(Handling.start, 0.3, '已联系客户，正在核实')
      if (far === 'waiting') await step(Handling.wait, 2, '请客户补充行驶证照片')
      if (far === 'returned') await step(Handling.return, 0.5, '照明由物业维护，请改派')
      if (steps > 1)
        await step(Handling.solve, 3 + (n % 4) * 4, '现场已处理，客户知悉', {
          ...(used && { caseId: used }),
          ...(type === feeDispute && { finding: Finding.unfounded }),
        })
      if (steps > 2) await step(Handling.close, 20 + (n % 3) * 9, '客户确认', {}, desk)
      if (n === 7) await step(Handling.reopen, 165, '当晚再次不抬杆', {}, desk)
    }
  })
}
const STEPS: Readonly<Record<Far, number>> = { closed: 3, solved: 2, working: 1, waiting: 1, assigned: 0, unassigned: 0, returned: 0 }
const WHO = `select username, id, name from identity.person where enterprise_id = scope_enterprise() and username in ('admin', 'operator')`

/** Customers open the link that they were sent. */
async function rate(house: House, driver: Client): Promise<void> {
  const sent = await house.reading(ENTERPRISE, (tx) => run<{ content: string }>(tx, { sql: LINKS }, []))
  const words = ['处理很快，谢谢', '态度好', '等了两天', '还可以', '解决了']
  for (const [n, { content }] of sent.entries()) {
    const code = /\/evaluate\/(\S+)/.exec(content)?.[1]
    if (!code || n % 4 === 3) continue
    // One of them belongs to an order that is in hand again.
    await driver.ask(evaluation.rate, { code, score: [5, 4, 2, 5, 3][n % 5]!, content: words[n % words.length]! }).catch(() => undefined)
  }
}
const LINKS = `select content from message.record where enterprise_id = scope_enterprise() and content like '%/evaluate/%' order by created_at, id`

async function interviews(admin: Client): Promise<void> {
  const { records } = await admin.ask(interview.query, { result: [InterviewResult.waiting], targetType: InterviewTarget.order })
  for (const [n, { id, version }] of records.slice(0, 2).entries())
    await admin.ask(
      interview.update,
      n === 0
        ? { id, version, result: InterviewResult.asked, solved: Solved.yes, score: 5, content: '客户表示满意' }
        : { id, version, result: InterviewResult.unreached, content: '无人接听，明日再拨' },
    )
}
