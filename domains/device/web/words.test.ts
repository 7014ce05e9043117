import { expect, test } from 'vitest'
import { endWords, saidWords, toldWords } from './words.ts'

test('what a device is told is a sentence', () => {
  expect(toldWords({ method: 'gate.open', params: { reason: 'paid', orderId: 'TC1' } })).toEqual(['开闸（已缴费）', 'Open the barrier (paid)'])
  expect(toldWords({ method: 'display.show', params: { lines: ['京A5V104', '欢迎光临'], seconds: 20 } })[0]).toBe('屏显：京A5V104 / 欢迎光临')
  expect(toldWords({ method: 'gate.keepOpen', params: { seconds: 600 } })[1]).toBe('Keep the barrier open for 600 s')
  expect(endWords({ state: 4, failure: 5 })).toEqual(['执行失败：设备离线', 'Failed: The device was offline'])
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
test('what nobody has words for keeps its own name', () => {
  expect(toldWords({ method: 'lamp.dim', params: {} })).toEqual(['lamp.dim', 'lamp.dim'])
  expect(saidWords({ kind: 1, type: 'tamper', payload: null })).toEqual(['事件：tamper', 'Event: tamper'])
})
