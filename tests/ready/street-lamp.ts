import { csv, type Factories, type Maker, of, some } from './maker.ts'

const DAYS = { dateFrom: '2026-01-01', dateTo: '2030-12-31', dayMask: 127, priority: 10 }
const NIGHT = [
  { at: 'sunset', relay: 1, dim: 100 },
  { at: '23:30', relay: 1, dim: 50 },
  { at: 'sunrise', relay: 0, dim: 0 },
]
const LAMP_CONTROLLER = 7

/** A box with its controller, a circuit of it, programs and alarms. */
export function ready({ row, asked, admin }: Maker): Factories {
  const controller = async () => {
    const deviceNo = `SL-${some()}`
    await asked(admin, 'device.iot-device.insert', { deviceNo, name: '集控器', type: LAMP_CONTROLLER })
    return deviceNo
  }
  const fields = () => ({ boxCode: `BX-${some()}`, name: '配电箱', lng: 112.1, lat: 32.0, phaseCount: 3, regionCode: '420602' })
  const box = async (gatewayNo?: string) => asked(admin, 'street-lamp.box.add', { ...fields(), ...(gatewayNo && { gatewayNo }) })
  const wiring = async (gatewayNo?: string) => {
    const { boxCode } = await box(gatewayNo)
    return asked(admin, 'street-lamp.wiring.add', {
      wiringCode: `W-${some()}`,
      boxCode,
      name: '主路',
      circuitNo: 1,
      phase: 1,
      lampCount: 20,
      ratedPowerW: 3000,
    })
  }
  const program = async () => ({
    name: `定时${some()}`,
    target: 1,
    targets: [(await wiring(await controller())).boxCode],
    kind: 2,
    actions: NIGHT,
    ...DAYS,
  })
  const timer = async () => asked(admin, 'street-lamp.timer.add', await program())
  const tagged = async () => {
    const { id, version } = await wiring()
    await asked(admin, 'street-lamp.wiring.update', { id, version, mode: 3, tagReason: '检修' })
    return { id, version: version + 1 }
  }
  const alarm = async () => {
    const { boxCode } = await box()
    return row(
      `insert into lamp.alarm (enterprise_id, box_code, code, level, first_at, last_at) values (1, $1, 7, 2, now(), now()) returning id, version`,
      [boxCode],
    )
  }
  const aLamp = async () => ({ lampNo: `L-${some()}`, wiringCode: (await wiring()).wiringCode, ratedPowerW: 120 })
  const lamp = async () => asked(admin, 'street-lamp.lamp.add', await aLamp())
  return {
    'street-lamp.lamp.add': aLamp,
    'street-lamp.lamp.update': async () => ({ ...of(await lamp()), poleNo: '7' }),
    'street-lamp.lamp.delete': async () => of(await lamp()),
    'street-lamp.lamp.import': async () => csv({ 灯号: `L-${some()}`, 回路编号: (await wiring()).wiringCode, 额定功率: '120' }),
    'street-lamp.box.add': async () => fields(),
    'street-lamp.box.update': async () => ({ ...of(await box()), name: '新名' }),
    'street-lamp.box.delete': async () => of(await box()),
    'street-lamp.wiring.add': async () => ({
      wiringCode: `W-${some()}`,
      boxCode: (await box()).boxCode,
      name: '辅路',
      circuitNo: 2,
      phase: 4,
      lampCount: 12,
      ratedPowerW: 1800,
    }),
    'street-lamp.wiring.update': async () => ({ ...of(await wiring()), name: '新名' }),
    'street-lamp.wiring.untag': async () => ({ ...(await tagged()), reason: '已完工' }),
    'street-lamp.wiring.delete': async () => of(await wiring()),
    'street-lamp.wiring.query-status': async () => ({ wiringIds: [(await wiring()).id] }),
    'street-lamp.wiring.batch-update': async () => ({ wiringIds: [(await wiring(await controller())).id], relay: 1 }),
    'street-lamp.timer.add': program,
    'street-lamp.timer.update': async () => ({ ...of(await timer()), priority: 20 }),
    'street-lamp.timer.delete': async () => of(await timer()),
    'street-lamp.timer.execute': async () => ({ id: (await timer()).id }),
    'street-lamp.timer.calendar': async () => ({ wiringId: (await wiring()).id, dateFrom: '2026-11-25', days: 7 }),
    'street-lamp.alarm.handle': async () => ({ ...of(await alarm()), state: 1 }),
  }
}
