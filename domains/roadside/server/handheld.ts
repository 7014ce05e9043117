import type { Instant } from '../../../platform/contract/field.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import type { Actor } from '../../../platform/server/serve.ts'
import { handheldLocked } from './questions.ts'

const HandheldLocked = refusal(
  'roadside.handheld-locked',
  41135,
  '手持机 {deviceNo} 已锁定（{reason}），只能补传锁定之前的记录，请联系班组长',
  'Handheld {deviceNo} is locked ({reason}) and can only upload records from before the lock: contact your group leader',
  403,
)

/** Refuses records made with a handheld after it was locked; earlier ones still come in. @throws HandheldLocked */
export async function refuseLocked(tx: Tx, { userId }: Actor, at: Instant): Promise<void> {
  const [locked] = await handheldLocked.ask(tx, { userId, at })
  if (locked) throw HandheldLocked(locked)
}
