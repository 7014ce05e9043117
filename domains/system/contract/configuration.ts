import { plural } from '../../../platform/contract/plural.ts'
import { call } from '../../../platform/contract/call.ts'
import {
  anything,
  empty,
  entity,
  type Field,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  pick,
  type Schema,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'

type Text = readonly [zh: string, en: string]
interface Common {
  group: keyof typeof GROUPS
  label: Text
  /** The effect of the setting, and when a change takes effect. */
  help: Text
}
/** A setting by its kind; a number has bounds and a unit, a choice its few values. */
export type Setting = Common &
  (
    | { kind: 'whole'; min: number; max: number; unit: Text; default: number }
    | { kind: 'choice'; choices: Readonly<Record<number, Text>>; default: number }
    | { kind: 'yes'; default: boolean }
    | { kind: 'text'; max: number; pattern?: string; form?: Text; default: string }
  )

export const GROUPS = {
  look: ['名称与联系方式', 'Name and contact'],
  session: ['登录与会话', 'Sign-in and sessions'],
  use: ['使用', 'Usage'],
  fees: ['收费', 'Fees'],
} as const satisfies Record<string, Text>

/** Every setting that the product reads. One that nothing reads has no place here. */
export const SETTINGS = {
  consoleName: {
    ...{ group: 'look', kind: 'text', max: 20, default: '' },
    label: ['平台名称', 'Platform name'],
    help: ['显示在左上角和浏览器标题；不填用产品名', 'Shown at the top left and in the browser title; if empty, the product name'],
  },
  consoleNameEn: {
    ...{ group: 'look', kind: 'text', max: 30, default: '' },
    label: ['平台英文名称', 'Platform name in English'],
    help: ['英文界面显示；不填用产品名', 'Shown in the English interface; if empty, the product name'],
  },
  supportContact: {
    ...{ group: 'look', kind: 'text', max: 60, default: '' },
    label: ['技术支持联系方式', 'Support contact'],
    help: ['电话或邮箱，显示在每篇帮助的下方', 'Phone number or e-mail address, shown below every help page'],
  },
  idleMinutes: {
    ...{ group: 'session', kind: 'whole', min: 5, max: 240, unit: ['分钟', 'minutes'], default: 30 },
    label: ['闲置自动退出', 'Idle sign-out'],
    help: ['多久不操作就退出；对已登录的会话同样生效', 'Idle time before users are signed out; also applies to open sessions'],
  },
  sessionHours: {
    ...{ group: 'session', kind: 'whole', min: 1, max: 72, unit: ['小时', 'hours'], default: 12 },
    label: ['会话最长时间', 'Maximum session length'],
    help: [
      '自登录起算，到时无论是否在用都需重新登录；对已登录的会话同样生效',
      'Counted from sign-in; users then sign in again even if active. Also applies to open sessions',
    ],
  },
  passwordPolicy: {
    ...{ group: 'session', kind: 'choice', default: 1 },
    choices: {
      1: ['9 位以上，含四类字符', '9 characters or more, of four types'],
      2: ['15 位以上的短语，不限字符种类', 'Phrase of 15 characters or more, any type'],
    },
    label: ['密码规则', 'Password policy'],
    help: ['自下次修改密码起', 'Applies from the next password change'],
  },
  qrHosts: {
    ...{ group: 'use', kind: 'text', max: 300, default: '', pattern: '^[a-z0-9.-]{1,100}(,[a-z0-9.-]{1,100}){0,9}$' },
    form: ['应为小写域名，多个用英文逗号隔开', 'must be lowercase host names separated by commas'],
    label: ['二维码可跳转的域名', 'Allowed QR code hosts'],
    help: ['多个用英文逗号隔开；不填时只能跳转到本平台的路径', 'Separate with commas; if empty, QR codes may only lead to paths on this platform'],
  },
  notesShown: {
    ...{ group: 'use', kind: 'yes', default: true },
    label: ['登录后显示更新说明', 'Show release notes after sign-in'],
    help: ['每人每条只显示一次；关闭后仍可在帮助里查看', 'Each user sees each note once; when off, notes are still in the help'],
  },
  rehearsalFirst: {
    ...{ group: 'fees', kind: 'yes', default: true },
    label: ['新版收费规则须先测算', 'Require a rehearsal for new fee rule versions'],
    help: [
      '上一版已有停车按其计费时，新版须先用历史停车测算才能发布；有放行权限的人可说明原因后放行',
      'If stays were billed by the previous version, the new one can only be published after a rehearsal on past stays; authorised users may override with a reason',
    ],
  },
  rehearsalChangePercent: {
    ...{ group: 'fees', kind: 'whole', min: 0, max: 1000, unit: ['%', '%'], default: 20 },
    label: ['应收变化超过多少不得发布', 'Block publishing when receivable changes by more than'],
    help: [
      '测算得出的应收总额增减超过此比例时，规则不能直接发布；有放行权限的人可说明原因后放行',
      'If the rehearsed total receivable rises or falls by more than this, the rule cannot be published directly; authorised users may override with a reason',
    ],
  },
} as const satisfies Record<string, Setting>
export type SettingName = keyof typeof SETTINGS
type ValueOf<S> = S extends { default: string } ? string : S extends { default: boolean } ? boolean : number
export type Settings = { [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> }
export const settingNames = Object.keys(SETTINGS) as SettingName[]
export const DEFAULTS = Object.fromEntries(settingNames.map((name) => [name, SETTINGS[name].default])) as Settings

/** Why a value is none of this setting; nothing when it is. */
export function valueFault(name: SettingName, value: unknown): Text | undefined {
  const one: Setting = SETTINGS[name]
  const [zh, en] = one.label
  if (one.kind === 'yes') return typeof value === 'boolean' ? undefined : [`「${zh}」应为是或否`, `“${en}” must be yes or no`]
  if (one.kind === 'choice')
    return typeof value === 'number' && Object.hasOwn(one.choices, value) ? undefined : [`「${zh}」没有这个选项`, `“${en}” has no such choice`]
  if (one.kind === 'whole')
    return Number.isInteger(value) && (value as number) >= one.min && (value as number) <= one.max
      ? undefined
      : [`「${zh}」应为 ${one.min} 到 ${one.max} 的整数`, `“${en}” must be a whole number from ${one.min} to ${one.max}`]
  if (typeof value !== 'string' || value.length > one.max)
    return [`「${zh}」最多 ${one.max} 个字`, `“${en}” can have at most ${one.max} ${plural(one.max, 'character')}`]
  if (/\p{Cc}/u.test(value)) return [`「${zh}」含有不可见字符`, `“${en}” contains invisible characters`]
  // oxlint-disable-next-line security/detect-non-literal-regexp -- a pattern of the list above
  if (value && one.pattern && !new RegExp(one.pattern, 'u').test(value))
    return [`「${zh}」${one.form?.[0] ?? '的格式不对'}`, `“${en}” ${one.form?.[1] ?? 'has the wrong form'}`]
  return undefined
}

const name = text('设置项', 'Setting', { max: 40, pattern: `^(${settingNames.join('|')})$` }) as Field<SettingName>
const value = shaped<string | number | boolean>('值', 'Value', {
  anyOf: [{ type: 'string', maxLength: 500 }, { type: 'integer' }, { type: 'boolean' }],
})
export const SettingNow = entity({
  name,
  value,
  /** 0: nobody has changed it. */
  version: whole('版本', 'Version', { min: 0 }),
  updatedBy: orNone(text('修改人', 'Changed by')),
  updatedAt: orNone(instant('修改时间', 'Changed at')),
})
const view = 'system:configuration:view'
const reason = { reason: text('原因', 'Reason', { max: 200 }) }
const edit = { service: 'business', needs: 'system:configuration:edit', writes: true } as const
export const configuration = {
  select: call('system.configuration.select', {
    service: 'business',
    post: '/system/selectSystemInformationConfiguration',
    needs: view,
    body: empty,
    reply: message({ settings: listOf(SettingNow) }),
  }),
  /** Sets what still has its default. */
  add: call('system.configuration.add', {
    ...edit,
    post: '/system/addSystemInformationConfiguration',
    does: ['设置系统参数', 'Set a setting'],
    body: message({ name, value }, reason),
    reply: nothing,
  }),
  update: call('system.configuration.update', {
    ...edit,
    post: '/system/updateSystemInformationConfiguration',
    does: ['修改系统参数', 'Changed a setting'],
    body: message({ name, value, version: whole('版本', 'Version', { min: 1 }) }, reason),
    reply: nothing,
  }),
  /** Resets a setting to the product's default. */
  reset: call('system.configuration.reset', {
    ...edit,
    post: '/system/resetSystemInformationConfiguration',
    own: true,
    does: ['恢复默认参数', 'Reset a setting to default'],
    body: pick(SettingNow, 'name', 'version'),
    reply: nothing,
  }),
  /** Returns the settings that every page needs. */
  console: call('system.configuration.console', {
    forPrograms: true,
    service: 'business',
    get: '/system/consoleSettings',
    needs: 'signed-in',
    own: true,
    query: empty,
    reply: anything as Schema<Settings>,
  }),
}
