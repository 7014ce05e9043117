import { entity, instant, orNone, text, whole } from '../../../platform/contract/field.ts'
import { Connector } from './connector.ts'
import { parkCode, wattHours } from './units.ts'

/** What a gun measured at one moment. What it did not measure is none, and never nought. */
export const MeterSample = entity(['电表采样', 'Meter sample'], {
  connectorId: Connector.properties.connectorId,
  parkCode,
  orderNo: orNone(text('充电订单', 'Session', { max: 40 })),
  at: instant('采样时间', 'Sampled at'),
  receivedAt: instant('接收时间', 'Received at'),
  meterWh: orNone(wattHours('电表底度', 'Meter reading')),
  powerW: orNone(whole('功率', 'Power', { unit: 'watt' })),
  currentMa: orNone(whole('电流', 'Current', { unit: 'milliampere' })),
  voltageDv: orNone(whole('电压', 'Voltage', { unit: 'tenth-volt' })),
  soc: orNone(whole('SOC', 'State of charge', { unit: 'percent', min: 0, max: 100 })),
  /** Of the plug or the pile, the hotter of the two. */
  temperatureC: orNone(whole('温度（℃）', 'Temperature (°C)', { min: -60, max: 400 })),
})
