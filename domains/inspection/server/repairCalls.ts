import type { Of } from '../../../platform/contract/field.ts'
import { run } from '../../../platform/server/database.ts'
import { find, page } from '../../../platform/server/page.ts'
import { NotFound } from '../../../platform/server/refusal.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { TollType, OnJob } from '../../staff/contract/collector.ts'
import { repair, type RepairLine, RepairState, type RepairStep, type Reportable } from '../contract/repair.ts'
import { maintained } from './repairFigures.ts'
import { faultFound, shown } from './repair.ts'
import { stepRepair } from './repairMove.ts'
import { behind, codeOf, partsOf, reportScanned } from './repairReport.ts'
import { kept, repairs } from './repairRow.ts'
import { thingOf, thingsLike } from './repairThing.ts'

const named = ({ deviceName, deviceType }: Of<typeof Reportable>) => ({ deviceName, deviceType })
export const calls = serve(repair, {
  find: ({ tx, input }) => page(tx, repairs, input),
  export: exporting(repair.export, repairs),
  ofDevice: async ({ tx, input: { deviceNo } }) => (await page(tx, repairs, { deviceNo, limit: SHOWN, queryMode: 'rows' })).records,
  async one({ tx, input: { id } }) {
    const found = await find(tx, kept, id)
    if (!found) throw NotFound()
    const [lines, steps] = await Promise.all([
      run<Of<typeof RepairLine>>(tx, { sql: LINES }, [id]),
      run<Of<typeof RepairStep>>(tx, { sql: STEPS }, [id]),
    ])
    return { ...shown(found), orderId: found.orderId, lines, steps }
  },
  statistics: ({ tx, input, at }) => maintained(tx, input, at),
  insert: async ({ tx, input, actor, at }) => shown(await faultFound(tx, { ...input, by: actor.userName }, at)),
  move: async ({ tx, input, actor, at }) => shown(await stepRepair(tx, input, actor, at)),
  things: ({ tx, input: { keyword = '' } }) => thingsLike(tx, keyword),
  repairers: ({ tx }) => run(tx, { sql: REPAIRERS }, []),
  async code({ tx, input: { deviceNo } }) {
    const { deviceName } = await thingOf(tx, deviceNo)
    return { deviceNo, deviceName, path: `/repair/${await codeOf(tx, deviceNo)}` }
  },
  scanned: phased(async ({ input: { code }, house }) => {
    const scanned = partsOf(code)
    return house.reading(scanned.enterprise, async (tx) => named(await behind(tx, scanned)))
  }),
  report: phased(async ({ input: { code, ...said }, at, asSteps, house }) => {
    const scanned = partsOf(code)
    const write = asSteps((work) => house.writing(scanned.enterprise, repair.report.id, work))
    return write(async (tx) => named(await reportScanned(tx, scanned, said, at)))
  }),
})
/** As many as anybody looks through. */
const SHOWN = 200
const LINES = `select id, at, source, level, "desc", images, who, contact from inspection.repair_line where enterprise_id = scope_enterprise() and repair_id = $1 order by seq desc limit ${SHOWN}`
const STEPS = `select id, at, "from", "to", who, whom, reason, images from inspection.repair_step where enterprise_id = scope_enterprise() and repair_id = $1 order by seq limit ${SHOWN}`
const REPAIRERS = `select c.toll_no, c.name, (select count(*)::int from inspection.repair r where r.enterprise_id = c.enterprise_id and r.toll_no = c.toll_no and r.state in (${RepairState.assigned}, ${RepairState.working})) as open
  from staff.collector c where c.enterprise_id = scope_enterprise() and c.on_job = ${OnJob.employed} and c.toll_type in (${TollType.inspector}, ${TollType.charging}) order by open, c.toll_no limit 500`
