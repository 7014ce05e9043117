import type { Call } from '../../contract/call.ts'
import { kept } from '../kept.ts'

/** What stands in a list's address, each part by its name: criteria, `sort`, `up`, `rows`. */
export interface Asked {
  name: string
  value: string
}
/** A named search of a list. Shared ones are seen by everybody of the enterprise and changed by their maker alone. */
export interface View {
  id: string
  list: string
  name: string
  shared: boolean
  criteria: Asked[]
  mine: boolean
  madeBy: string
  version: number
}
/** The calls that keep views. Whose people they are kept for is no matter of the platform's: the shell names them. */
export interface ViewCalls {
  query: Call<{ list: string }, View[]>
  add: Call<Pick<View, 'list' | 'name' | 'shared' | 'criteria'>, unknown>
  update: Call<Pick<View, 'id' | 'version'> & Partial<Pick<View, 'name' | 'shared' | 'criteria'>>, unknown>
  delete: Call<{ id: string }, unknown>
}

let calls: ViewCalls | undefined
export const keepViewsBy = (some: object) => void (calls = some as ViewCalls)
export const viewCalls = () => calls

/** The view in which a person's list opens: its id. Empty opens it without any. */
export const defaultView = (list: string) =>
  kept(`view/${list}`, '', (value) => (typeof value === 'string' ? value : undefined), { everywhere: true })
