import { DeviceType, DeviceUse } from '../../domains/device/contract/device.ts'
import { enrol } from '../../domains/device/server/api.ts'
import { csv, type Factories, type Maker, of, some } from './maker.ts'

const day = (days: number) => new Date(Date.now() + (8 + 24 * days) * 3_600_000).toISOString().slice(0, 10)

/** Collectors, their handhelds, groups, shifts, cells of a roster. */
export function ready({ row, write, asked, admin, deputy, parkCode }: Maker): Factories {
  const collector = async (more: object = {}) => {
    const tollNo = `S${some()}`
    await asked(deputy, 'staff.toll.save', { tollNo, name: '试用', tollType: 2, parkCode, ...more })
    return row('select * from staff.collector where toll_no = $1', [tollNo])
  }
  const handheld = async () => {
    const deviceNo = `PDA-${some()}`
    await write((tx) => enrol(tx, { sn: deviceNo, name: deviceNo, type: DeviceType.handheld, parkCode, secretHash: 'none' }))
    await row(`update device.device set use_status = ${DeviceUse.inUse} where device_no = $1 returning id`, [deviceNo])
    return { deviceNo }
  }
  const locked = async () => {
    const one = await handheld()
    await asked(admin, 'staff.handheld.lock', { ...one, reason: '遗失' })
    return one
  }
  const group = async () => {
    const name = `组${some()}`
    await asked(deputy, 'staff.work-group.save', { name, parkCode, placeCodes: [parkCode] })
    return row('select * from staff.work_group where name = $1', [name])
  }
  const shift = async () => {
    const name = `班${some()}`
    await asked(deputy, 'staff.shift.save', { name, segments: [{ from: '08:00', to: '16:00' }] })
    return row('select * from staff.work_shift where name = $1', [name])
  }
  const cell = async (workDate = day(2)) => {
    const [who, by] = [await collector(), await shift()]
    await asked(deputy, 'staff.schedule.save-or-update-list', { list: [{ tollNo: who.toll_no, workDate, shiftId: by.id }] })
    return { who, by, cell: await row('select * from staff.cell where collector_id = $1', [who.id]) }
  }
  /** The administrator's collector, at work from a minute ago. */
  const onDuty = async () => {
    const { id } = await row(`select id from identity.person where username = 'admin'`)
    const linked = 'select * from staff.collector where person_id = $1'
    const who = (await row(linked, [id])) ?? (await collector({ personId: id, tollType: 5 }), await row(linked, [id]))
    await row('delete from staff.cell where collector_id = $1 returning id', [who.id])
    const by = await shift()
    await asked(deputy, 'staff.schedule.save-or-update-list', { list: [{ tollNo: who.toll_no, workDate: day(2), shiftId: by.id }] })
    const cell = await row(
      `update staff.cell set work_date = (now() at time zone 'Asia/Shanghai')::date, hours = tstzmultirange(tstzrange(now() - interval '1 hour', now() + interval '6 hours')), start_at = now() - interval '1 hour', end_at = now() + interval '6 hours' where collector_id = $1 returning *`,
      [who.id],
    )
    return { who, cell }
  }
  const log = async (more = 'state = 0') => {
    const { who, cell } = await onDuty()
    await row(
      `insert into staff.work_log (cell_id, collector_id, park_code, work_date, opened_at, until_at, enterprise_id) values ($1, $2, $3, $4, now() - interval '1 hour', now() + interval '7 hours', 1) returning id`,
      [cell.id, who.id, cell.park_code, cell.work_date],
    )
    return row(`update staff.work_log set ${more} where cell_id = $1 returning *`, [cell.id])
  }
  /** The person who decides is nobody's collector. */
  const office = () => row('update staff.collector set person_id = null where person_id is not null returning id')
  /** Of somebody else, for whoever leads. */
  const otherLog = async () => {
    await office()
    const { who, cell: one } = await cell()
    return row(
      `insert into staff.work_log (cell_id, collector_id, park_code, work_date, opened_at, out_at, until_at, state, content, submitted_at, enterprise_id) values ($1, $2, $3, $4, now() - interval '3 hours', now() - interval '1 hour', now(), 2, '试', now(), 1) returning *`,
      [one.id, who.id, one.park_code, one.work_date],
    )
  }
  /** Somebody’s cell, and who that is at the console: the administrator, or the other one. */
  const mine = async (who = 'admin') => {
    const { id } = await row('select id from identity.person where username = $1', [who])
    await office()
    const own = await cell()
    await row('update staff.collector set person_id = $1 where id = $2 returning id', [id, own.who.id])
    return own
  }
  const asking = async () => {
    const { cell: own } = await mine()
    await asked(admin, 'staff.request.apply', { type: 1, cellId: own.id, reason: '试' })
    return row('select id, version from staff.request where cell_id = $1', [own.id])
  }
  return {
    'staff.tracker.query-tracker': async () => ({ tollNo: (await collector()).toll_no, workDate: day(0) }),
    'staff.tracker.report': async () => (await log(), { points: [{ at: new Date().toISOString(), lng: 114.1, lat: 32.1, battery: 80 }] }),
    'staff.tracker.note': async () => (await log(), { mid: some(), kind: 6, lng: 114.1, lat: 32.1, note: '试' }),
    'staff.work-log.content': async () => ({ ...of(await log()), content: '试' }),
    'staff.work-log.submit': async () => ({ ...of(await log(`state = 1, out_at = now() - interval '1 minute'`)), content: '试' }),
    'staff.work-log.review': async () => ({ ...of(await otherLog()), score: 4 }),
    'staff.warning-rule.update': async () => ({
      rule: 1,
      version: (await row('select version from staff.warning_rule where enterprise_id = 1 and rule = 1'))?.version ?? 1,
      thresholdMin: 11,
    }),
    'staff.warning-log.handle': async () => {
      await office()
      const who = await collector()
      const made = await row(
        `insert into staff.warning (rule, level, collector_id, park_code, start_at, enterprise_id) values (1, 3, $1, $2, now(), 1) returning id`,
        [who.id, parkCode],
      )
      return { ids: [made.id], state: 1, opinion: '试' }
    },
    'staff.request.apply': async () => ({ type: 1, cellId: (await mine()).cell.id, reason: '试' }),
    'staff.request.apply-for': async () => {
      const { who, cell: theirs } = await cell()
      return { tollNo: who.toll_no, type: 1, cellId: theirs.id, reason: '试' }
    },
    'staff.request.withdraw': async () => of(await asking()),
    'staff.request.decide': async () => {
      const { cell: own } = await mine('deputy')
      await asked(deputy, 'staff.request.apply', { type: 1, cellId: own.id, reason: '试' })
      return { ...of(await row('select id, version from staff.request where cell_id = $1', [own.id])), pass: false, opinion: '试' }
    },
    'staff.request.respond': async () => {
      const [{ cell: own }, other] = [await mine(), await collector()]
      await asked(admin, 'staff.request.apply', { type: 3, cellId: own.id, toTollNo: other.toll_no, reason: '试' })
      const { id: person } = await row(`select id from identity.person where username = 'admin'`)
      await row('update staff.collector set person_id = null where person_id = $1 returning id', [person])
      await row('update staff.collector set person_id = $1 where id = $2 returning id', [person, other.id])
      return { ...of(await row('select id, version from staff.request where cell_id = $1', [own.id])), accept: true }
    },
    'staff.handheld.bind': async () => ({ ...(await handheld()), tollNo: (await collector()).toll_no }),
    'staff.handheld.unbind': async () => {
      const one = await handheld()
      await collector({ pdaNo: one.deviceNo })
      return one
    },
    'staff.handheld.lock': async () => ({ ...(await handheld()), reason: '遗失' }),
    'staff.handheld.unlock': locked,
    'staff.toll.save': async () => ({ tollNo: `S${some()}`, name: '试用', tollType: 2, parkCode }),
    'staff.toll.update': async () => ({ ...of(await collector()), remark: '试' }),
    'staff.toll.delete': async () => ({ id: (await collector()).id }),
    'staff.toll.toll-import': async () => csv({ 工号: `S${some()}`, 姓名: '试用', 类型: '车场收费员', 车场编号: parkCode }),
    'staff.toll.toll-message': async () => ({ tollNos: [(await collector()).toll_no], title: '试', content: '试' }),
    'staff.work-group.save': async () => ({ name: `组${some()}`, parkCode }),
    'staff.work-group.update': async () => ({ ...of(await group()), remark: '试' }),
    'staff.work-group.delete': async () => ({ id: (await group()).id }),
    'staff.shift.save': async () => ({ name: `班${some()}`, segments: [{ from: '08:00', to: '16:00' }] }),
    'staff.shift.update': async () => ({ ...of(await shift()), lateGraceMin: 6 }),
    'staff.shift.delete': async () => ({ id: (await shift()).id }),
    'staff.schedule.save-or-update-list': async () => {
      const [who, by] = [await collector(), await shift()]
      return { list: [{ tollNo: who.toll_no, workDate: day(2), shiftId: by.id }] }
    },
    'staff.schedule.page-query-location': async () => ({ tollNo: (await collector()).toll_no }),
    'staff.schedule.work-card-statistics-task': async () => ({ workDateFrom: day(-1), workDateTo: day(-1) }),
    'staff.work.close-month': async () => {
      const closed = await row("select to_char(min(month) - interval '1 month', 'YYYY-MM') as month from staff.closed_month where enterprise_id = 1")
      return { month: closed?.month ?? '2026-01' }
    },
    'staff.card.save': async () => {
      const { id } = await row(`select id from identity.person where username = 'admin'`)
      if (!(await row('select 1 from staff.collector where person_id = $1', [id]))) await collector({ personId: id, tollType: 5 })
      return { mid: some(), kind: 1, placeCode: parkCode }
    },
    'staff.schedule.copy-schedule': async () => {
      await cell(day(40))
      return { sourceFrom: day(40), sourceTo: day(40), targetFrom: day(41) }
    },
  }
}
