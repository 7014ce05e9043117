import { csv, type Factories, type Maker, of, some } from './maker.ts'

const day = (days: number) => new Date(Date.now() + (8 + 24 * days) * 3_600_000).toISOString().slice(0, 10)

/** Collectors, groups, shifts, cells of a roster. */
export function ready({ row, asked, admin, deputy, parkCode }: Maker): Factories {
  const collector = async (more: object = {}) => {
    const tollNo = `S${some()}`
    await asked(deputy, 'staff.toll.save', { tollNo, name: '试用', tollType: 2, parkCode, ...more })
    return row('select * from staff.collector where toll_no = $1', [tollNo])
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
  /** Somebody’s cell, and who that is at the console: the administrator, or the other one. */
  const mine = async (who = 'admin') => {
    const { id } = await row('select id from identity.person where username = $1', [who])
    // Whoever decides is nobody's collector.
    await row('update staff.collector set person_id = null where person_id is not null returning id')
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
    'staff.request.apply': async () => ({ type: 1, cellId: (await mine()).cell.id, reason: '试' }),
    'staff.request.withdraw': async () => of(await asking()),
    'staff.request.decide': async () => {
      const { cell: own } = await mine('deputy')
      await asked(deputy, 'staff.request.apply', { type: 1, cellId: own.id, reason: '试' })
      return { ...of(await row('select id, version from staff.request where cell_id = $1', [own.id])), pass: false }
    },
    'staff.request.respond': async () => {
      const [{ cell: own }, other] = [await mine(), await collector()]
      await asked(admin, 'staff.request.apply', { type: 3, cellId: own.id, toTollNo: other.toll_no, reason: '试' })
      const { id: person } = await row(`select id from identity.person where username = 'admin'`)
      await row('update staff.collector set person_id = null where person_id = $1 returning id', [person])
      await row('update staff.collector set person_id = $1 where id = $2 returning id', [person, other.id])
      return { ...of(await row('select id, version from staff.request where cell_id = $1', [own.id])), accept: true }
    },
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
      if (!(await row('select 1 from staff.collector where person_id = $1', [id]))) await collector({ personId: id })
      return { mid: some(), kind: 1, placeCode: parkCode }
    },
    'staff.schedule.copy-schedule': async () => {
      await cell(day(40))
      return { sourceFrom: day(40), sourceTo: day(40), targetFrom: day(41) }
    },
  }
}
