import type { Permission } from '../contract/call.ts'
import { choice } from './kept.ts'

/** The signed-in person, as the shell learnt it when the session began. */
export interface Person {
  custId: string
  name: string
  username: string
  enterpriseId: number
  enterpriseName: string
  phoneTail: string | null
  capabilities: ReadonlySet<string>
}
export const person = choice<Person | undefined>(undefined)

/** Whether the signed-in person may: hides a button, never guards a door. The server decides again. */
export function can(needs: Permission | undefined): boolean {
  if (needs === undefined || needs === 'public' || needs === 'signed-in') return true
  return person.get()?.capabilities.has(needs) ?? false
}
