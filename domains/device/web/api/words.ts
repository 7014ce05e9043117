import { lasting } from '../../../../platform/contract/duration.ts'
import { plural } from '../../../../platform/contract/plural.ts'
import type { Of } from '../../../../platform/contract/field.ts'
import type { Text } from '../../../../platform/web/text.ts'
import { type Command, CommandFailure, CommandState } from '../../contract/command.ts'
import { type Message, MessageKind } from '../../contract/message.ts'

/** Sentences for commands and messages of devices. One without a sentence keeps its own name; the original is shown on demand. */
type Body = Readonly<Record<string, unknown>>
const bodyOf = (said: unknown): Body => (typeof said === 'object' && said !== null && !Array.isArray(said) ? (said as Body) : {})
const wordOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const linesOf = (value: unknown): string => (Array.isArray(value) ? value.map(wordOf).filter(Boolean).join(' / ') : wordOf(value))
/** A part that is said only where there is something to say. */
const more = (value: string, zh: string, en: string): Text => (value ? [zh, en] : ['', ''])

const OPEN_REASONS: Record<string, Text> = {
  manual: ['人工', 'by hand'],
  paid: ['已缴费', 'paid'],
  pass: ['准许通行', 'admitted'],
}
const TOLD: Record<string, (params: Body) => Text> = {
  'gate.open': ({ reason }) => {
    const [zh, en] = OPEN_REASONS[wordOf(reason)] ?? ['', '']
    return zh ? [`开闸（${zh}）`, `Open the barrier (${en})`] : ['开闸', 'Open the barrier']
  },
  'gate.close': () => ['关闸', 'Close the barrier'],
  'gate.keepOpen': ({ seconds }) => {
    const [zh, en] = lasting(Number(seconds), 'second')
    return [`道闸常开 ${zh}`, `Keep the barrier open for ${en}`]
  },
  'display.show': ({ lines }) => [`屏显：${linesOf(lines)}`, `Show on the sign: ${linesOf(lines)}`],
  'etc.deduct': ({ deductNo }) => [`ETC 扣费：${wordOf(deductNo)}`, `ETC deduction: ${wordOf(deductNo)}`],
  'etc.query': ({ deductNo }) => [`查询 ETC 扣费：${wordOf(deductNo)}`, `Query ETC deduction: ${wordOf(deductNo)}`],
  'voice.play': ({ text }) => [`播报：${wordOf(text)}`, `Announce: ${wordOf(text)}`],
  'whitelist.sync': ({ version }) => [`下发名单${numbered(version, '第', '版')}`, `Send the list of plates${numbered(version, ', version ')}`],
  'lamp.set': ({ on, dim, circuits }) =>
    Array.isArray(circuits)
      ? [`开关路灯 ${circuits.length} 个回路`, `Switch ${circuits.length} ${plural(circuits.length, 'lamp circuit')}`]
      : on === 0 || on === false
        ? ['关灯', 'Switch the lamp off']
        : [`开灯${numbered(dim, '，亮度 ', '%')}`, `Switch the lamp on${numbered(dim, ', at ', '%')}`],
  'lamp.plan': ({ version }) => [`下发照明计划${numbered(version, '第', '版')}`, `Send the lighting plan${numbered(version, ', version ')}`],
  'lamp.read': () => ['读取灯具状态', 'Read the lamp'],
  'handheld.lock': ({ reason }) => [`锁定手持机${numbered(reason, '：')}`, `Lock the handheld${numbered(reason, ': ')}`],
  'handheld.unlock': () => ['解锁手持机', 'Unlock the handheld'],
  'dome.start': () => ['启动抓拍', 'Start capturing'],
  'dome.stop': () => ['停止抓拍', 'Stop capturing'],
  'device.reboot': () => ['重启设备', 'Restart the device'],
}
const numbered = (value: unknown, before: string, after = '') => wordOf(value) && `${before}${wordOf(value)}${after}`
/** Describes a command to a device. */
export const toldWords = ({ method, params }: Pick<Of<typeof Command>, 'method' | 'params'>): Text =>
  TOLD[method]?.(bodyOf(params)) ?? [method, method]

/** How far a command came, and why no further. */
export function endWords({ state, failure }: Pick<Of<typeof Command>, 'state' | 'failure'>): Text {
  const [zh, en] = CommandState.entries[state]
  if (failure === null) return [zh, en]
  const [why, reason] = CommandFailure.entries[failure]
  return [`${zh}：${why}`, `${en}: ${reason}`]
}

const BARRIER: Record<string, Text> = {
  opened: ['道闸抬起', 'Barrier up'],
  closed: ['道闸落下', 'Barrier down'],
  blocked: ['道闸受阻', 'Barrier blocked'],
}
const CAUSES: Record<string, Text> = {
  command: ['按指令', 'on command'],
  manual: ['现场手动', 'by hand on site'],
  remote: ['遥控器', 'by remote control'],
  timeout: ['超时', 'timed out'],
}
const EVENTS: Record<string, (body: Body) => Text> = {
  plate: ({ plate, direction, confidence }) => {
    const [way, heading] = direction === 'in' ? ['入场', 'entering'] : direction === 'out' ? ['出场', 'leaving'] : ['', '']
    const [sure, certainty] = more(wordOf(confidence), `，可信度 ${wordOf(confidence)}`, `, confidence ${wordOf(confidence)}`)
    return [
      `识别车牌 ${wordOf(plate) || '（无）'}${way && `，${way}`}${sure}`,
      `Read plate ${wordOf(plate) || '(none)'}${heading && `, ${heading}`}${certainty}`,
    ]
  },
  gate: ({ state, cause, passed, cars }) => {
    const [zh, en] = BARRIER[wordOf(state)] ?? [`道闸 ${wordOf(state)}`, `Barrier ${wordOf(state)}`]
    const [why, because] = CAUSES[wordOf(cause)] ?? ['', '']
    const [went, gone] = passed === true ? ['，车已通过', ', car passed'] : passed === false ? ['，车未通过', ', car did not pass'] : ['', '']
    const [many, count] = typeof cars === 'number' && cars > 1 ? [`，连过 ${cars} 车`, `, ${cars} ${plural(cars, 'car')} passed`] : ['', '']
    return [`${zh}${why && `（${why}）`}${went}${many}`, `${en}${because && ` (${because})`}${gone}${count}`]
  },
  occupied: (body) => berthWords(body, '有车停入', 'Car parked'),
  illegalStop: ({ preset, plate }) => {
    const [read, whose] = more(wordOf(plate), `，车牌 ${wordOf(plate)}`, `, plate ${wordOf(plate)}`)
    return [`预置位 ${wordOf(preset)} 抓拍违停${read}`, `Illegal stop captured at preset ${wordOf(preset)}${whose}`]
  },
  seen: (body) => berthWords(body, '巡检有车', 'Car seen on patrol'),
  vacant: (body) => berthWords(body, '车辆驶离', 'Car left'),
  alarm: ({ code }) => {
    const [zh, en] = ALARMS[wordOf(code)] ?? [wordOf(code), wordOf(code)]
    return [`告警：${zh}`, `Alarm: ${en}`]
  },
  alarmCleared: ({ code }) => {
    const [zh, en] = ALARMS[wordOf(code)] ?? [wordOf(code), wordOf(code)]
    return [`告警解除${zh && `：${zh}`}`, `Alarm cleared${en && `: ${en}`}`]
  },
  etc: ({ deductNo }) => [`ETC 扣费结果${numbered(deductNo, '：')}`, `ETC deduction result${numbered(deductNo, ': ')}`],
  log: ({ text }) => [`手持机日志：${wordOf(text)}`, `Handheld log: ${wordOf(text)}`],
  button: ({ name }) => [`按钮被按下${wordOf(name) && `：${wordOf(name)}`}`, `Button pressed${wordOf(name) && `: ${wordOf(name)}`}`],
}
/** Describes an event at a berth, with the plate where it was read. */
function berthWords({ berth, plate }: Body, zh: string, en: string): Text {
  const [at, place] = more(wordOf(berth), `泊位 ${wordOf(berth)} `, ` at berth ${wordOf(berth)}`)
  const [read, whose] = more(wordOf(plate), `，车牌 ${wordOf(plate)}`, `, plate ${wordOf(plate)}`)
  return [`${at}${zh}${read}`, `${en}${place}${whose}`]
}
const ALARMS: Record<string, Text> = {
  lampFault: ['灯具故障', 'lamp fault'],
  overcurrent: ['过流', 'overcurrent'],
  leakage: ['漏电', 'leakage'],
  doorOpen: ['箱门打开', 'door open'],
  powerLoss: ['断电', 'power loss'],
  tilt: ['灯杆倾斜', 'pole tilted'],
}
/** Describes a device's message. */
export function saidWords({ kind, type, payload }: Pick<Of<typeof Message>, 'kind' | 'type' | 'payload'>): Text {
  const words = EVENTS[type]?.(bodyOf(payload))
  if (words) return words
  const [zh, en] = MessageKind.entries[kind]
  return type === PLAIN[kind] ? [`上报${zh}`, `Reported ${en.toLowerCase()}`] : [`${zh}：${type}`, `${en}: ${type}`]
}
/** The type that says no more than its kind. */
const PLAIN: Partial<Record<number, string>> = { 2: 'telemetry', 3: 'attributes', 4: 'status' }

/** Describes the subject of a warning where its type does not say it all: the event that broke, or a preset that nobody has set up. */
export function subjectWords(subject: string): Text {
  const [, preset] = /^preset (\d+)$/.exec(subject) ?? []
  return preset ? [`预置位 ${preset} 未设置`, `Preset ${preset} not set up`] : [subject, subject]
}
