import type { Of } from '../../../platform/contract/field.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { holdersOf } from '../../identity/server/api.ts'
import type { Handler } from '../contract/fault.ts'

const NotAHandler = refusal(
  'charging.not-a-handler',
  41319,
  '该人员不能处理本车场的故障或隐患，请从名单中另选一人',
  'This person cannot handle faults or hazards of this park: choose another one from the list',
  422,
)
export type Person = Of<typeof Handler>
/** Who may do something and sees the park that it is about. */
export const handlersOf = async (tx: Tx, capability: string, parkCode: string | null): Promise<Person[]> =>
  (await holdersOf(tx, capability, parkCode)) as Person[]
/** @throws NotAHandler */
export async function handlerOf(tx: Tx, capability: string, { parkCode, handlerId }: { parkCode: string; handlerId: string }): Promise<Person> {
  const found = (await handlersOf(tx, capability, parkCode)).find(({ id }) => id === handlerId)
  if (!found) throw NotAHandler()
  return found
}
