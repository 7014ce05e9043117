import { codeOf } from '../../domains/inspection/server/repairReport.ts'
import { type Factories, type Maker, of, some } from './maker.ts'

/** Devices that are broken, in the state that is asked for, and whoever scans one. */
export function repairFactories({ row, asked, admin, deputy, parkCode, write }: Maker): Factories {
  const device = async (useStatus = 1) => {
    const deviceNo = `RP-${some()}`
    await asked(admin, 'device.iot-device.insert', { deviceNo, name: `设备 ${deviceNo}`, type: 1, parkCode, useStatus })
    return deviceNo
  }
  const broken = async () => ({ deviceNo: await device(), source: 2, level: 2, desc: '不抬杆' })
  const inspector = async () => {
    const tollNo = `I${some()}`
    await row(`insert into staff.collector (enterprise_id, toll_no, name, toll_type, park_code) values (1, $1, '巡检员', 3, $2) returning id`, [
      tollNo,
      parkCode,
    ])
    return tollNo
  }
  const scan = async () => ({ code: await write(async (tx) => codeOf(tx, await device())) })
  const worn = async () => ({ deviceNo: await device(2), reason: 2, note: '主板烧毁', originalFen: 100_000, residualFen: 0, months: 60 })
  return {
    'inspection.scrap.apply': worn,
    'inspection.scrap.decide': async () => ({ ...of(await asked(deputy, 'inspection.scrap.apply', await worn())), approve: true }),
    'inspection.scrap.confirm': async () => {
      const dear = await asked(deputy, 'inspection.scrap.apply', { ...(await worn()), originalFen: 1_000_000 })
      const agreed = await row(
        `update inspection.scrap set state = 1, manager_id = gen_random_uuid(), manager_name = '试', managed_at = now() where id = $1 returning id, version`,
        [dear.id],
      )
      return { ...of(agreed), approve: true }
    },
    'inspection.scrap.withdraw': async () => of(await asked(admin, 'inspection.scrap.apply', await worn())),
    'inspection.repair.insert': broken,
    'inspection.repair.move': async () => ({
      id: (await asked(admin, 'inspection.repair.insert', await broken())).id,
      to: 1,
      tollNo: await inspector(),
    }),
    'inspection.repair.scanned': scan,
    'inspection.repair.report': async () => ({ ...(await scan()), desc: '不抬杆' }),
  }
}
