import { channel, ChannelType } from '../../domains/message/contract/channel.ts'
import { news, NewsStatus, NewsType } from '../../domains/message/contract/news.ts'
import { task, AudienceKind, TaskState } from '../../domains/message/contract/task.ts'
import { template, MessageKind, TemplateState } from '../../domains/message/contract/template.ts'
import { bringOut, send, sendInner } from '../../domains/message/server/api.ts'
import { DAY_MS, instantAt, MINUTE_MS, startOf, dayOf } from '../../platform/contract/time.ts'
import type { Instant } from '../../platform/contract/field.ts'
import { run } from '../../platform/server/database.ts'
import type { House } from '../../platform/server/domain.ts'
import type { Client } from '../client.ts'
import type { NotifyAddress } from '../notify/child.ts'
import { randomFrom } from '../random.ts'

const ENTERPRISE = 1
const DAYS = 7

/** Channels, templates, news and tasks as an operator of notices makes them, through the calls; and a week of messages, brought out through the sandbox provider. */
export async function addMessages(house: House, client: Client, notify: NotifyAddress, nowMs: number): Promise<void> {
  const known = await client.ask(channel.list, {})
  if (known.some(({ type }) => type !== ChannelType.inner)) return moveChannels(client, notify)
  const channels = await makeChannels(client, notify)
  const templates = await makeTemplates(client)
  await fillWeek(house, nowMs)
  await makeTasks(client, channels, templates)
  await makeNews(client)
}

/** The sandbox of this start may listen elsewhere than the last one's. */
async function moveChannels(client: Client, notify: NotifyAddress): Promise<void> {
  const { records } = await client.ask(channel.queryPage, { limit: 100 })
  for (const { id, version, url, host, port } of records) {
    const moved = url?.startsWith('http://127.0.0.1:') ? `${notify.url}${new URL(url).pathname}` : url
    if (moved !== url) await client.ask(channel.update, { id, version, url: moved, secret: notify.secret })
    if (host === '127.0.0.1' && port !== notify.mailPort) await client.ask(channel.update, { id, version, port: notify.mailPort })
  }
}

async function makeChannels(client: Client, { url, mailPort, secret }: NotifyAddress) {
  const gateway = { url: `${url}/send`, account: 'kerbline', secret }
  const mail = await client.ask(channel.insert, {
    name: '运营邮箱',
    type: ChannelType.email,
    host: '127.0.0.1',
    port: mailPort,
    tls: false,
    sender: '泊城 <notice@kerbline.example>',
    ratePerSec: 5,
    dayCap: 2_000,
  })
  const voice = await client.ask(channel.insert, { name: '语音外呼', type: ChannelType.voice, ...gateway, ratePerSec: 2, dayCap: 500 })
  const sms = await client.ask(channel.insert, {
    name: '短信主通道',
    type: ChannelType.sms,
    ...gateway,
    sender: '泊城停车',
    ratePerSec: 15,
    dayCap: 20_000,
    backupChannelId: voice.id,
  })
  const wechat = await client.ask(channel.insert, { name: '微信服务号', type: ChannelType.wechat, ...gateway, ratePerSec: 15, dayCap: 50_000 })
  const hook = await client.ask(channel.insert, {
    name: '城管平台推送',
    type: ChannelType.webhook,
    url: `${url}/hook`,
    secret,
    ratePerSec: 10,
    dayCap: 10_000,
  })
  return { mail, voice, sms, wechat, hook }
}

const TEMPLATES = [
  {
    code: 'arrears.remind',
    name: '欠费提醒',
    kind: MessageKind.reminder,
    channelType: ChannelType.sms,
    title: '欠费提醒',
    content: '您的车辆 {{plate}} 在{{park}}有停车费 {{amount}} 元未缴，请及时补缴。',
    contentEn: 'Your car {{plate}} owes CNY {{amount}} at {{park}}. Please pay it.',
    vars: [
      ['plate', '车牌号', '鄂F12345'],
      ['park', '停车场', '襄州广场停车场'],
      ['amount', '金额（元）', '12.00'],
    ],
    signName: '泊城停车',
    thirdTemplateId: 'SMS_100201',
  },
  {
    code: 'login.code',
    name: '验证码',
    kind: MessageKind.code,
    channelType: ChannelType.sms,
    title: '验证码',
    content: '验证码 {{code}}，5 分钟内有效，请勿告诉他人。',
    vars: [['code', '验证码', '384920']],
    signName: '泊城停车',
    thirdTemplateId: 'SMS_100202',
  },
  {
    code: 'pass.expiring',
    name: '月卡到期提醒',
    kind: MessageKind.reminder,
    channelType: ChannelType.sms,
    title: '月卡到期',
    content: '{{name}}您好，车辆 {{plate}} 的月卡将于 {{day}} 到期。',
    vars: [
      ['plate', '车牌号', '鄂F12345'],
      ['day', '到期日', '2026-12-01'],
    ],
    signName: '泊城停车',
    thirdTemplateId: 'SMS_100203',
  },
  {
    code: 'pass.approved',
    name: '月卡申请通过',
    kind: MessageKind.reminder,
    channelType: ChannelType.sms,
    title: '月卡申请通过',
    content: '{{name}}您好，车辆 {{plate}} 的月卡申请已通过，请在 {{until}} 前支付 {{amount}} 元，逾期取消。',
    vars: [
      ['plate', '车牌号', '鄂F12345'],
      ['amount', '金额（元）', '300.00'],
      ['until', '支付截止', '2026-12-01 18:00'],
    ],
    signName: '泊城停车',
    thirdTemplateId: 'SMS_100206',
  },
  {
    code: 'pass.rejected',
    name: '月卡申请未通过',
    kind: MessageKind.reminder,
    channelType: ChannelType.sms,
    title: '月卡申请未通过',
    content: '{{name}}您好，车辆 {{plate}} 的月卡申请未通过：{{reason}}',
    vars: [
      ['plate', '车牌号', '鄂F12345'],
      ['reason', '原因', '资料不全'],
    ],
    signName: '泊城停车',
    thirdTemplateId: 'SMS_100207',
  },
  {
    code: 'arrears.appeal-decided',
    name: '欠费申诉结果',
    kind: MessageKind.reminder,
    channelType: ChannelType.sms,
    title: '申诉结果',
    content: '您的欠费申诉 {{appealNo}} 处理结果：{{result}}。{{reason}}',
    vars: [
      ['appealNo', '申诉单号', 'SS7K3M9QXB24'],
      ['result', '结果', '成立'],
      ['reason', '处理意见', '核实为识别错误'],
    ],
    signName: '泊城停车',
    thirdTemplateId: 'SMS_100208',
  },
  {
    code: 'share.overrun',
    name: '共享车位超时提醒',
    kind: MessageKind.reminder,
    channelType: ChannelType.sms,
    title: '车位超时',
    content: '您在{{park}}的共享车位 {{seat}} 预约到 {{until}} 结束，车辆尚未离场，超时费由对方支付。',
    vars: [
      ['seat', '车位号', 'B1-017'],
      ['park', '停车场', '襄州广场停车场'],
      ['until', '预约结束', '2026-12-01 18:00'],
    ],
    signName: '泊城停车',
    thirdTemplateId: 'SMS_100205',
  },
  {
    code: 'report.daily',
    name: '日报',
    kind: MessageKind.notice,
    channelType: ChannelType.email,
    title: '{{day}} 运营日报',
    titleEn: 'Daily report of {{day}}',
    content: '{{name}}您好：\n{{day}} 进场 {{cars}} 车次，实收 {{amount}} 元。',
    contentEn: 'Dear {{name}},\non {{day}} {{cars}} cars came; CNY {{amount}} were received.',
    vars: [
      ['day', '日期', '2026-11-21'],
      ['cars', '进场车次', '1820'],
      ['amount', '实收（元）', '9120.50'],
    ],
  },
  {
    code: 'export.scheduled',
    name: '定时导出完成',
    kind: MessageKind.notice,
    channelType: ChannelType.email,
    title: '{{list}}已生成',
    titleEn: '{{listEn}} is ready',
    content: '{{name}}您好：\n{{list}}已生成，共 {{rows}} 行。登录后在「我的导出」中下载：{{link}}',
    contentEn: 'Dear {{name}},\n{{listEn}} is ready, {{rows}} rows. Sign in and download it under “My exports”: {{link}}',
    vars: [
      ['list', '列表与名称', '员工（早报）'],
      ['listEn', '英文名称', 'Users (早报)'],
      ['rows', '行数', '120'],
      ['link', '我的导出的地址', 'https://console.example/dist/index?exports'],
    ],
  },
  {
    code: 'alarm.device',
    name: '设备告警推送',
    kind: MessageKind.alarm,
    channelType: ChannelType.webhook,
    title: '{{device}} {{what}}',
    content: '{{device}} 于 {{time}} {{what}}，请安排处理。',
    vars: [
      ['device', '设备', 'P001-G01 相机'],
      ['what', '告警', '离线'],
      ['time', '时间', '14:05'],
    ],
  },
  {
    code: 'notice.staff',
    name: '员工通知',
    kind: MessageKind.notice,
    channelType: ChannelType.inner,
    title: '{{title}}',
    titleEn: '{{title}}',
    content: '{{name}}您好：{{text}}',
    contentEn: 'Dear {{name}}: {{text}}',
    vars: [
      ['title', '标题', '系统升级'],
      ['text', '内容', '今晚 23:00 系统升级，预计 30 分钟。'],
    ],
  },
  {
    code: 'notice.duty',
    name: '值班短信',
    kind: MessageKind.notice,
    channelType: ChannelType.sms,
    title: '值班安排',
    content: '{{name}}您好，{{day}} 由您值班，请按时到岗。',
    vars: [['day', '日期', '11 月 23 日']],
    signName: '泊城停车',
    thirdTemplateId: 'SMS_100204',
  },
] as const

async function makeTemplates(client: Client): Promise<Map<string, string>> {
  const made = new Map<string, string>()
  for (const { vars, ...one } of TEMPLATES) {
    const declared = vars.map(([name, label, sample]) => ({ name, label, sample }))
    const { id, version } = await client.ask(template.insert, { ...one, vars: declared })
    await client.ask(template.update, { id, version, state: TemplateState.inUse })
    made.set(one.code, id)
  }
  return made
}

const HOURS = [9, 11, 14, 17, 20]
/** Tries come after 1, 5 and 30 minutes. */
const TRIES_MIN = [0, 1, 6, 36, 37]
interface Debt {
  plateNo: string
  park: string
  amountFen: number
}
/** Debts whose owner is reminded: some of those that stood then, each hour others. */
const DEBTS = `select r.plate_no, p.name as park, r.amount_fen from arrears.record r join parking.park p on p.enterprise_id = r.enterprise_id and p.park_code = r.park_code
  where r.enterprise_id = scope_enterprise() and r.plate_no is not null and r.created_at <= $1::timestamptz order by md5(r.id::text || $1::text) limit 3`
/**
 * Adds the messages of the past week: reminders, codes, reports, alarms; some fail as they do with a real operator. Only the clock
 * is set.
 */
async function fillWeek(house: House, nowMs: number): Promise<void> {
  const random = randomFrom(20).next
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const phone = () => `13${Math.floor(random() * 9)}${String(Math.floor(random() * 1e8)).padStart(8, '0')}`
  const plate = () => `鄂F${String(Math.floor(random() * 90_000) + 10_000)}`
  const today = Date.parse(startOf(dayOf(instantAt(nowMs))))
  for (let back = DAYS - 1; back >= 0; back--)
    for (const hour of HOURS) {
      const ms = today - back * DAY_MS + hour * 60 * MINUTE_MS
      if (ms + 60 * MINUTE_MS > nowMs) continue
      const at = instantAt(ms)
      const day = dayOf(at)
      await house.writing(ENTERPRISE, 'demo', async (tx) => {
        const to = (bad = '') => ({
          address: bad ? `${phone().slice(0, 7)}${bad}` : phone(),
          name: pick(['张师傅', '李女士', '王先生', '陈女士', '刘先生']),
        })
        for (const { plateNo, park, amountFen } of await run<Debt>(tx, { sql: DEBTS }, [at])) {
          const bad = random() < 0.06 ? '0000' : random() < 0.05 ? '1111' : ''
          await send(tx, { template: 'arrears.remind', to: to(bad), vars: { plate: plateNo, park, amount: (amountFen / 100).toFixed(2) }, at })
        }
        await send(tx, { template: 'login.code', to: to(), vars: { code: String(Math.floor(random() * 900_000) + 100_000) }, at })
        if (hour === 9)
          await send(tx, {
            template: 'report.daily',
            to: { address: 'ops@kerbline.example', name: '运营部' },
            vars: { day, cars: String(1200 + Math.floor(random() * 900)), amount: (7000 + random() * 4000).toFixed(2) },
            at,
          })
        if (hour === 14) await send(tx, { template: 'pass.expiring', to: to(), vars: { plate: plate(), day }, at })
        if (random() < 0.5)
          await send(tx, {
            template: 'alarm.device',
            to: { address: 'webhook', name: '城管平台' },
            vars: { device: `P00${1 + Math.floor(random() * 3)}-G01 相机`, what: pick(['离线', '识别率偏低', '道闸超时']), time: `${hour}:05` },
            at,
          })
        if (hour === 11)
          await sendInner(tx, {
            to: { capability: 'message:record:view', parkCode: null },
            title: [`${day} 欠费提醒已发出`, `Reminders of ${day} were sent`],
            body: ['欠费提醒短信已发送，失败的会自动重试。', 'The reminders were sent; what failed is tried again.'],
            link: '/operation/message/record?view=all',
            at,
          })
      })
      for (const minutes of TRIES_MIN) await bringOut(house, ENTERPRISE, instantAt(ms + minutes * MINUTE_MS))
    }
}

async function makeTasks(client: Client, { mail }: Awaited<ReturnType<typeof makeChannels>>, templates: ReadonlyMap<string, string>): Promise<void> {
  const inner = (await client.ask(channel.list, { type: ChannelType.inner }))[0]!
  const of = (code: string) => templates.get(code)! as never
  await client.ask(task.insert, {
    name: '系统升级通知',
    templateId: of('notice.staff'),
    channelId: inner.id,
    audience: { kind: AudienceKind.query },
    vars: { title: '系统升级', text: '今晚 23:00 系统升级，预计 30 分钟。' },
    state: TaskState.planned,
  })
  const tomorrow = instantAt(Date.parse(startOf(dayOf(new Date().toISOString() as Instant))) + DAY_MS + 9 * 60 * MINUTE_MS)
  await client.ask(task.insert, {
    name: '明日日报',
    templateId: of('report.daily'),
    channelId: mail.id,
    audience: { kind: AudienceKind.query, capability: 'message:statistics:view' },
    vars: { day: dayOf(tomorrow), cars: '1820', amount: '9120.50' },
    planAt: tomorrow,
    state: TaskState.planned,
  })
  await client.ask(task.insert, {
    name: '节假日安排（草稿）',
    templateId: of('notice.staff'),
    channelId: inner.id,
    audience: { kind: AudienceKind.query },
    vars: { title: '元旦值班', text: '元旦三天各车场照常值班。' },
  })
}

async function makeNews(client: Client): Promise<void> {
  await client.ask(news.add, {
    title: '元旦期间路内泊位免费停放',
    type: NewsType.notice,
    top: true,
    status: NewsStatus.published,
    content:
      '<p>元旦三天，<strong>路内泊位免费</strong>；室内停车场照常收费。</p><ul><li>1 月 1 日 00:00 至 1 月 3 日 24:00</li><li>请提前告知值班人员</li></ul>',
  })
  await client.ask(news.add, {
    title: '月卡线上续费上线',
    type: NewsType.campaign,
    status: NewsStatus.published,
    content: '<p>车主可在小程序续费月卡，窗口不再代办。</p>',
  })
  await client.ask(news.add, { title: '冬季设备巡检提示', type: NewsType.hint, content: '<p>低温可能影响道闸，请检查润滑。</p>' })
}
