import { describe, expect, test } from 'vitest'
import { domains } from '../../apps/server/domains.ts'
import { readSources } from '../../scripts/sources.ts'
import * as words from './words.ts'

const sources = readSources()
/** Names of screens in the menu. */
const screens = domains.flatMap(({ menu = [] }) => menu.filter(({ component }) => component).map(({ name }) => name))
const planted = (text: string) => [{ file: 'domains/parking/web/planted.ts', text, imports: [] }]

test('every text of the product is read', () => {
  expect(words.pairsIn(sources).length).toBeGreaterThan(15_000)
})

describe.each([
  [
    'a count agrees with its noun in English',
    words.countsAgree,
    ['[`${n} 辆`, `${n} cars`]', '[`共 ${count(n)} 条`, `${count(n)} open records`]', "refusal('a', 1, '还有 {count} 人', '{count} people left')"],
    [
      '[`${n} 辆`, `${n} ${plural(n, "car")}`]',
      "refusal('a', 1, '还有 {count} 人', '{count:person|people} left')",
      '[`${CARS_MAX} 辆`, `${CARS_MAX} cars`]',
    ],
  ],
  [
    'both sides of a text put in the same things and the same numbers',
    words.sidesAgree,
    ["refusal('a', 1, '{what}已被 {no} 占用', 'Taken by {no}')", "['限 30 天', 'Within 31 days']"],
    ["refusal('a', 1, '{what}已被 {no} 占用', 'The {whatEn} is taken by {no}')", "['限 30 天', 'Within 30 days']"],
  ],
  [
    'Chinese is set in one way',
    words.chineseIsSet,
    ["['近7天', 'Last 7 days']", "['ETC扣费', 'ETC']", "['到“车辆”查看', 'See Cars']", "['占用(未充电)', 'Occupied']", "['实收 - 退款', 'Paid']"],
    ["['近 7 天', 'Last 7 days']", "['如鄂A12345', 'Such']", "['到「车辆」查看（只读）', 'See Cars']", "['实收 − 退款', 'Paid']"],
  ],
  [
    'whoever is sent to a screen reads its name',
    words.screensQuoted(screens),
    [
      "['请到车道看板开闸', 'Open it from the “Lane board”']",
      "['请到「车道看板」开闸', 'Open it from the lane board']",
      "['请到「车道看板」开闸', 'Open it from the Lane board']",
      "refusal('a', 1, '请在「通道管理」中选择', 'Choose it under “Lanes”')",
      "['员工管理页有', 'It is on the “Users” page']",
    ],
    [
      "['请到「车道看板」开闸', 'Open it from the “Lane board”']",
      "['车道看板', 'Lane board']",
      "['该车在黑名单中', 'The car is on the black list']",
      "['与总账「充电预付」一致', 'Matches prepayments in the ledger']",
    ],
  ],
  [
    'a length of time has one form',
    words.lengthsAreOne,
    ['[`停 ${n} 分钟`, `stood ${n} min`]', '[`${d}天${h}小时`, `${d} d ${h} h`]', "refusal('a', 1, '{min} 分钟后重试', 'Try in {min} min')"],
    ['[`停 ${lasting(n)[0]}`, `stood ${lasting(n)[1]}`]', '[`近 ${n} 天`, `Last ${n} d`]', "['锁定 15 分钟', 'Locked for 15 minutes']"],
  ],
  [
    'one thing has one word in each language',
    words.oneWord,
    [
      "['钱包', 'Purse']",
      "['月卡类型', 'Kind of pass']",
      "['电话', 'Telephone number']",
      "['状态', 'State']",
      "['类型', 'Kind']",
      "['收支明细', 'Movements']",
      "['权限', 'Capability']",
      "['停止充电', 'Stopped a charge by QR code']",
      "['充电订单', 'Charging orders']",
      "['今日订单', 'Charges today']",
      "['注销', 'Erase']",
      "['充电记录', 'Charging sessions']",
      "['储值卡已注销', 'Card cancelled']",
    ],
    [
      "['钱包', 'Wallet']",
      "['状态', 'Status']",
      "['库存变动', 'Stock movements']",
      "refusal('a', 1, '权限 {capability}', 'Permission {capability}')",
      "['充电订单', 'Charging sessions']",
      "['插枪后充电', 'Connectors that charge']",
      "['没有通信编号', 'No charge point id']",
      "['车主已注销', 'Account deleted']",
      "['停卡', 'Cancel card']",
    ],
  ],
  [
    'an alarm is a machine’s, a warning a rule’s',
    words.alarmsAndWarnings,
    ["['设备告警', 'Device warnings']", "['报警', 'Warned']", "['设备预警', 'Device alarms']"],
    ["['告警', 'Alarm']", "['预警', 'Warning']", "['每人预警的次数，误报不计', 'Warnings per person, false alarms excluded']"],
  ],
] as const)('%s', (_, rule, wrong, right) => {
  test('in every text', () => {
    expect(words.broken(sources, rule)).toEqual([])
  })
  test.each(wrong)('the rule sees %s', (text) => {
    expect(words.broken(planted(`export const text = ${text}`), rule)).toHaveLength(1)
  })
  test.each(right)('the rule lets %s be', (text) => {
    expect(words.broken(planted(`export const text = ${text}`), rule)).toEqual([])
  })
})

test('prose pages say the same words as the texts', () => {
  const pages = words.prosePages()
  expect(pages.length).toBeGreaterThan(20)
  expect(words.prosesWords(pages)).toEqual([])
  const planted = (text: string) => words.prosesWords([{ file: 'README.md', text }])
  expect(planted('Paid from the purse.')).toHaveLength(1)
  expect(planted('Paid from the wallet (`purse`).\n```\npurse\n```')).toEqual([])
})
