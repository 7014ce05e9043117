import { run, type Tx } from '../../../platform/server/database.ts'
import { OnJob } from '../contract/collector.ts'

export interface FieldWorker {
  tollNo: string
  name: string
  tollType: number
  personId: string | null
  parkCode: string
}
/** Returns the person with that number, if they still work here; only of these types, where some are named. */
export async function fieldWorker(tx: Tx, tollNo: string, types?: readonly number[]): Promise<FieldWorker | undefined> {
  const [found] = await run<FieldWorker>(tx, { sql: BY_NO }, [tollNo])
  return found && (!types || types.includes(found.tollType)) ? found : undefined
}
const BY_NO = `select toll_no, name, toll_type, person_id, park_code from staff.collector where enterprise_id = scope_enterprise() and toll_no = $1 and on_job = ${OnJob.employed}`
