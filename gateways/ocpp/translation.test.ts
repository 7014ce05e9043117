import { expect, test } from 'vitest'
import { codeOf, readFrame, TEXT_MAX } from './frames.ts'
import type { Misshapen } from './shapes.ts'
import { heard16 } from './v16.ts'
import { heard201 } from './v201.ts'

const at = '2026-11-23T04:00:00.000Z'
const said16 = (action: string, payload: object): any => heard16[action]!(payload)
const said201 = (action: string, payload: object): any => heard201[action]!(payload)
const wrongOf = (work: () => unknown) => {
  try {
    work()
    return undefined
  } catch (error) {
    return (error as Misshapen).wrong
  }
}
const meter = (...sampledValue: object[]) =>
  said16('MeterValues', { connectorId: 1, transactionId: 7, meterValue: [{ timestamp: at, sampledValue }] }).readings

test('a frame is a call, a result or an error, and what is none says which id it had', () => {
  expect(readFrame('[2,"a","Heartbeat",{}]')).toEqual({ kind: 'call', id: 'a', action: 'Heartbeat', payload: {} })
  expect(readFrame('[3,"a",{"x":1}]')).toEqual({ kind: 'result', id: 'a', payload: { x: 1 } })
  expect(readFrame('[4,"a","InternalError","no",{}]')).toMatchObject({ kind: 'error', code: 'InternalError' })
  expect(readFrame('[2,"a","Heartbeat"')).toMatchObject({ wrong: 'frame', id: 'a' })
  expect(readFrame('hello')).toMatchObject({ wrong: 'frame', id: '-1' })
  expect(readFrame('[9,"b",{}]')).toMatchObject({ wrong: 'messageType', id: 'b' })
  expect(readFrame('[2,"c",7,{}]')).toMatchObject({ wrong: 'form', id: 'c' })
  expect(readFrame('[2,"d","DataTransfer",{"vendorId":"\\u0000"}]')).toMatchObject({ wrong: 'form', id: 'd' })
  expect(readFrame(`[2,"e","DataTransfer",{"vendorId":"${'x'.repeat(TEXT_MAX)}"}]`)).toMatchObject({ wrong: 'form', id: 'e' })
})

test('each version has its own spelling of the same fault', () => {
  expect([codeOf('missing', '1.6'), codeOf('missing', '2.0.1')]).toEqual(['OccurenceConstraintViolation', 'OccurrenceConstraintViolation'])
  expect([codeOf('form', '1.6'), codeOf('form', '2.0.1')]).toEqual(['FormationViolation', 'FormatViolation'])
  expect([codeOf('messageType', '1.6'), codeOf('messageType', '2.0.1')]).toEqual(['GenericError', 'MessageTypeNotSupported'])
})

test('a missing field, a wrong type and a wrong word are told apart', () => {
  expect(wrongOf(() => said16('Authorize', {}))).toBe('missing')
  expect(wrongOf(() => said16('Authorize', { idTag: ['x'] }))).toBe('type')
  expect(wrongOf(() => said16('StatusNotification', { connectorId: 1, status: 'Sleeping', errorCode: 'NoError' }))).toBe('value')
  expect(wrongOf(() => heard16['Authorize']!(null))).toBe('type')
  expect(wrongOf(() => said201('TransactionEvent', { eventType: 'Started' }))).toBe('missing')
})

test('a serial that is too long, a number for a text, a misspelt error and one object for a list are taken', () => {
  expect(said16('BootNotification', { chargePointVendor: 'ABB', chargePointModel: 60, chargePointSerialNumber: 'S'.repeat(90) })).toMatchObject({
    kind: 'boot',
    model: '60',
    serial: 'S'.repeat(64),
  })
  expect(said16('StatusNotification', { connectorId: 1, status: 'Faulted', errorCode: 'OverVoltageX' })).toMatchObject({
    raw: 'Faulted',
    error: 'OverVoltageX',
  })
  expect(said16('MeterValues', { connectorId: 1, meterValue: { timestamp: at, sampledValue: { value: ' 120 ' } } }).readings).toEqual([
    { stamp: at, context: 'sample', wh: 120 },
  ])
  expect(said16('MeterValues', { connectorId: 1, meterValue: [{ timestamp: at, sampledValue: [] }] }).readings).toEqual([])
  expect(
    said16('MeterValues', {
      connectorId: 1,
      meterValue: [{ timestamp: at, sampledValue: [{ value: '61', measurand: 'Temperature', unit: 'Celcius' }] }],
    }).readings[0],
  ).toMatchObject({ celsius: 61 })
})

test('a stop is read however little of it makes sense', () => {
  expect(said16('StopTransaction', { transactionId: -1, meterStop: {}, timestamp: 'soon', transactionData: 'x' })).toMatchObject({
    kind: 'ended',
    transaction: '-1',
    wh: null,
    stamp: null,
    reason: 'Local',
    readings: [],
  })
})

test('the beginning and the periodic sample beside it stay two readings', () => {
  expect(meter({ value: '0', context: 'Transaction.Begin' }, { value: '1200' })).toEqual([
    { stamp: at, context: 'begin', wh: 0 },
    { stamp: at, context: 'sample', wh: 1200 },
  ])
})

test('the whole counts before its phases; phases make the whole; the neutral line is none', () => {
  const power = (value: string, phase?: string) => ({ value, measurand: 'Power.Active.Import', unit: 'W', ...(phase && { phase }) })
  expect(meter(power('9000'), power('3000', 'L1'), power('3000', 'L2'))[0]).toMatchObject({ powerW: 9000 })
  expect(meter(power('3000', 'L1'), power('2900', 'L2'), power('2800', 'L3'), power('77', 'N'))[0]).toMatchObject({ powerW: 8700 })
  expect(meter(power('7000', 'L1'))[0]).toMatchObject({ powerW: 7000 })
  expect(meter(power('5', 'N'))[0]).not.toHaveProperty('powerW')
})

test('units: kWh, kW, amperes, volts, and the multiplier of the newer version', () => {
  expect(
    meter(
      { value: '12.345', unit: 'kWh' },
      { value: '7.2', unit: 'kW', measurand: 'Power.Active.Import' },
      { value: '32.1', measurand: 'Current.Import', unit: 'A' },
      { value: '229.6', measurand: 'Voltage' },
    )[0],
  ).toEqual({
    stamp: at,
    context: 'sample',
    wh: 12345,
    powerW: 7200,
    currentMa: 32100,
    voltageDv: 2296,
  })
  const event = said201('TransactionEvent', {
    eventType: 'Updated',
    timestamp: at,
    triggerReason: 'MeterValuePeriodic',
    seqNo: 3,
    transactionInfo: { transactionId: 'T1', chargingState: 'Charging' },
    meterValue: [{ timestamp: at, sampledValue: [{ value: 1.25, unitOfMeasure: { unit: 'Wh', multiplier: 3 } }] }],
  })
  expect(event).toMatchObject({ kind: 'transaction', event: 'Updated', seqNo: 3, readings: [{ wh: 1250 }] })
})

test('what is signed, what comes from the car and what is no number counts for nothing', () => {
  expect(meter({ value: 'AB', format: 'SignedData' }, { value: 'n/a' })).toEqual([])
  expect(meter({ value: '99', location: 'EV' })[0]).not.toHaveProperty('wh')
})
