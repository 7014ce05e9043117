import { PAGE_ROWS } from '../../../platform/contract/call.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { parksOf, run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { ShiftState } from '../../settlement/contract/shift.ts'
import { OnJob, TollType } from '../contract/collector.ts'
import { SUMS, type Taken, Till, till, tillSearch } from '../contract/till.ts'
import './tables.ts'

const tills = listOver(Till, 'staff.till', tillSearch, { sums: [...SUMS] })

export const calls = serve(till, {
  async people({ tx, input: { workDateFrom = null, workDateTo = null, tollNos, parkCode = null, current = 1, limit = PAGE_ROWS } }) {
    const values = [workDateFrom, workDateTo, tollNos?.length ? tollNos : null, parkCode, parksOf(tx)]
    const records = await run<Of<typeof Taken> & { total: number }>(tx, { sql: PEOPLE }, [...values, limit, (current - 1) * limit])
    const [all] = await run<Record<string, number>>(tx, { sql: ALL }, values)
    const { total, ...sums } = all as { total: number } & Record<string, number>
    return { records, total, totalExact: true, sums }
  },
  shifts: ({ tx, input }) => shiftsPage(tx, input),
  shiftsExport: exporting(till.shiftsExport, ({ tx, input }) => shiftsPage(tx, input)),
})
const shiftsPage = (tx: Tx, { tollNos, ...input }: Of<typeof till.shifts.input>) =>
  page(tx, tills, { ...input, ...(tollNos?.length && { tollNo: tollNos }) })
/** Counts people who collect on the street now: as many as the list shows with the same filter. */
export async function collecting(tx: Tx, { parkCode }: { parkCode: string | undefined }): Promise<number> {
  const running = { state: [ShiftState.running], tollType: [TollType.roadside], ...(parkCode && { parkCode }) }
  return (await page(tx, tills, { ...running, queryMode: 'total' })).total
}
/** Returns the person who can take over a till: employed, with an account. */
export async function cashierByNo(tx: Tx, { tollNo }: { tollNo: string }) {
  const sql = `select person_id as user_id, name as user_name from staff.collector where enterprise_id = scope_enterprise() and toll_no = $1 and on_job = ${OnJob.employed} and person_id is not null`
  return (await run<{ userId: string; userName: string }>(tx, { sql }, [tollNo]))[0]
}
/** Where somebody employed collects. */
export async function postOfPerson(tx: Tx, { personId }: { personId: string }) {
  const sql = `select park_code from staff.collector where enterprise_id = scope_enterprise() and person_id = $1 and on_job = ${OnJob.employed}`
  return (await run<{ parkCode: string }>(tx, { sql }, [personId]))[0]
}

const SUMMED = `sum(orders)::int as orders, ${SUMS.slice(1)
  .map((name) => name.replaceAll(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`))
  .map((name) => `coalesce(sum(${name}), 0)::bigint as ${name}`)
  .join(', ')}`
const OF = `from staff.till where enterprise_id = scope_enterprise() and ($1::date is null or work_date >= $1) and ($2::date is null or work_date <= $2) and ($3::text[] is null or toll_no = any ($3))
  and ($4::text is null or park_code = $4) and ($5::text[] is null or park_code = any ($5))`
const PEOPLE = `select toll_no, name, ${SUMMED}, platform.permille(sum(paid_fen), sum(receivable_fen)) as pay_rate, count(*)::int as shifts ${OF}
  group by toll_no, name order by sum(paid_fen) desc, toll_no nulls last, name limit $6 offset $7`
const ALL = `select (select count(*)::int from (select 1 ${OF} group by toll_no, name) one) as total, coalesce(orders, 0) as orders, ${SUMS.slice(1)
  .map((name) => name.replaceAll(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`))
  .join(', ')} from (select ${SUMMED} ${OF}) all_of`
