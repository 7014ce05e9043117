import { repairFactories } from './inspectionRepair.ts'
import { csv, type Factories, type Maker, of, some } from './maker.ts'

const day = (days: number) => new Date(Date.now() + (8 + 24 * days) * 3_600_000).toISOString().slice(0, 10)

/** Rules, and tasks by hand. */
export function ready(maker: Maker): Factories {
  const { row, asked, deputy, parkCode } = maker
  const rule = async () => {
    const name = `规则${some()}`
    await asked(deputy, 'inspection.patrol-rule.insert', { name, deviceTypes: [1], cycle: 2, items: [{ name: '外观', type: 1 }] })
    return row('select * from inspection.rule where name = $1', [name])
  }
  const wanted = async () => ({
    name: `任务${some()}`,
    parkCode,
    deviceTypes: [1],
    items: [{ name: '外观', type: 1 }],
    planFrom: `${day(1)}T08:00:00+08:00`,
    planTo: `${day(1)}T18:00:00+08:00`,
  })
  const task = async () => {
    const given = await wanted()
    await asked(deputy, 'inspection.scheduling.add', given)
    return row('select * from inspection.task where name = $1', [given.name])
  }
  /** One device that was not looked at, and why. */
  const round = async () => {
    const [tollNo, deviceNo, name] = [`X${some()}`, `XJ-${some()}`, `任务${some()}`]
    await asked(deputy, 'staff.toll.save', { tollNo, name: '试用', tollType: 3, parkCode })
    await asked(deputy, 'device.iot-device.insert', { deviceNo, name: '试用', type: 10, parkCode, useStatus: 1 })
    const [from, to] = [-3_600_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString())
    await asked(deputy, 'inspection.scheduling.add', {
      ...(await wanted()),
      name,
      deviceTypes: [10],
      deviceNos: [deviceNo],
      planFrom: from,
      planTo: to,
    })
    const { id } = await row('select id from inspection.task where name = $1', [name])
    const at = new Date().toISOString()
    return { taskId: id, tollNo, startedAt: at, endedAt: at, lines: [], devices: [{ deviceNo, reason: '试' }], mid: some() }
  }
  return {
    ...repairFactories(maker),
    'inspection.patrol-record.insert': round,
    'inspection.patrol-rule.insert': async () => ({
      name: `规则${some()}`,
      deviceTypes: [1],
      cycle: 2,
      items: [{ name: '外观', type: 1 }],
      parkCodes: [parkCode],
    }),
    'inspection.patrol-rule.update': async () => ({ ...of(await rule()), route: '试' }),
    'inspection.patrol-rule.update-parks-of-rules': async () => {
      const { id, version } = await rule()
      return { ruleId: id, version, parkCodes: [parkCode] }
    },
    'inspection.patrol-rule.delete': async () => of(await rule()),
    'inspection.scheduling.add': wanted,
    'inspection.scheduling.update': async () => ({ ...of(await task()), remark: '试' }),
    'inspection.scheduling.delete': async () => of(await task()),
    'inspection.scheduling.import': async () => {
      const { name } = await rule()
      return csv({ 规则名称: name, 车场编号: parkCode, 计划开始: `${day(2)} 08:00:00`, 计划完成: `${day(2)} 18:00:00` })
    },
  }
}
