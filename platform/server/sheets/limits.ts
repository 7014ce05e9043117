import type { SheetFormat } from '../../contract/sheet.ts'
import type { Drawing } from './cells.ts'
import type { ZipFault } from './zip.ts'

/** A request to the child process. */
export type Asked =
  | { does: 'read'; rowsMax: number; cellsMax: number }
  | { does: 'words' }
  | { does: 'write'; format: SheetFormat; name: string; columns: readonly Drawing[]; notes?: Notes }
/** A second sheet of words. */
export interface Notes {
  name: string
  rows: string[][]
}
/** Before a number of more than fifteen digits: a spreadsheet has lost its end already, and nobody may take it for whole. */
export const LOST = '\ue000'
/** The first line that it answers when it can read the file. */
export interface Read {
  kind: 'xlsx' | 'xls' | 'csv' | 'docx' | 'doc'
  sheet: string
}
export interface Refused {
  refused: ZipFault | 'word' | 'long' | 'wide'
}
