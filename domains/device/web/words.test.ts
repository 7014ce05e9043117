import { expect, test } from 'vitest'
import { endWords, saidWords, subjectWords, toldWords } from './api/words.ts'

test('what a device is told is a sentence', () => {
  expect(toldWords({ method: 'gate.open', params: { reason: 'paid', orderId: 'TC1' } })).toEqual(['开闸（已缴费）', 'Open the barrier (paid)'])
  expect(toldWords({ method: 'display.show', params: { lines: ['京A5V104', '欢迎光临'], seconds: 20 } })[0]).toBe('屏显：京A5V104 / 欢迎光临')
  expect(toldWords({ method: 'gate.keepOpen', params: { seconds: 600 } })[1]).toBe('Keep the barrier open for 10 min')
  expect(endWords({ state: 4, failure: 5 })).toEqual(['执行失败：设备离线', 'Failed: Device offline'])
  expect(endWords({ state: 3, failure: null })[0]).toBe('执行成功')
})
test('what a device says is a sentence', () => {
  expect(saidWords({ kind: 1, type: 'plate', payload: { plate: '鄂F65026', direction: 'out', confidence: 97 } })).toEqual([
    '识别车牌 鄂F65026，出场，可信度 97',
    'Read plate 鄂F65026, leaving, confidence 97',
  ])
  expect(saidWords({ kind: 1, type: 'gate', payload: { state: 'closed', cause: 'timeout', passed: true } })).toEqual([
    '道闸落下（超时），车已通过',
    'Barrier down (timed out), car passed',
  ])
  expect(saidWords({ kind: 3, type: 'attributes', payload: {} })).toEqual(['上报属性', 'Reported attributes'])
})
test.each([
  ['occupied', { berth: 'A-017' }, '泊位 A-017 有车停入', 'Car parked at berth A-017'],
  ['occupied', { berth: 'A-017', plate: '鄂F65026' }, '泊位 A-017 有车停入，车牌 鄂F65026', 'Car parked at berth A-017, plate 鄂F65026'],
  ['seen', { berth: 'A-017' }, '泊位 A-017 巡检有车', 'Car seen on patrol at berth A-017'],
  ['illegalStop', { preset: 3, plate: '鄂F65026' }, '预置位 3 抓拍违停，车牌 鄂F65026', 'Illegal stop captured at preset 3, plate 鄂F65026'],
  ['vacant', {}, '车辆驶离', 'Car left'],
  ['alarm', { code: 'leakage', level: 2 }, '告警：漏电', 'Alarm: leakage'],
  ['alarmCleared', { code: 'tilt' }, '告警解除：灯杆倾斜', 'Alarm cleared: pole tilted'],
  ['etc', { deductNo: 'E1' }, 'ETC 扣费结果：E1', 'ETC deduction result: E1'],
  ['log', { text: '打印机缺纸' }, '手持机日志：打印机缺纸', 'Handheld log: 打印机缺纸'],
])('an event %s is a sentence', (type, payload, zh, en) => expect(saidWords({ kind: 1, type, payload })).toEqual([zh, en]))
test.each([
  ['whitelist.sync', { version: 12 }, '下发名单第12版', 'Send the list of plates, version 12'],
  ['lamp.set', { on: 1, dim: 60 }, '开灯，亮度 60%', 'Switch the lamp on, at 60%'],
  ['lamp.set', { on: 0 }, '关灯', 'Switch the lamp off'],
  ['lamp.set', { circuits: [{}, {}] }, '开关路灯 2 个回路', 'Switch 2 lamp circuits'],
  ['lamp.plan', { version: 3 }, '下发照明计划第3版', 'Send the lighting plan, version 3'],
  ['handheld.lock', { reason: '遗失' }, '锁定手持机：遗失', 'Lock the handheld: 遗失'],
  ['handheld.unlock', {}, '解锁手持机', 'Unlock the handheld'],
  ['lamp.read', {}, '读取灯具状态', 'Read the lamp'],
  ['dome.start', {}, '启动抓拍', 'Start capturing'],
  ['dome.stop', {}, '停止抓拍', 'Stop capturing'],
  ['device.reboot', {}, '重启设备', 'Restart the device'],
])('a command %s is a sentence', (method, params, zh, en) => expect(toldWords({ method, params })).toEqual([zh, en]))
test('a preset that nobody has set up is a warning in words', () => {
  expect(subjectWords('preset 3')).toEqual(['预置位 3 未设置', 'Preset 3 not set up'])
  expect(subjectWords('plate')).toEqual(['plate', 'plate'])
})
test('what nobody has words for keeps its own name', () => {
  expect(toldWords({ method: 'lamp.dim', params: {} })).toEqual(['lamp.dim', 'lamp.dim'])
  expect(saidWords({ kind: 1, type: 'tamper', payload: null })).toEqual(['事件：tamper', 'Event: tamper'])
})
