import { run, type Tx } from '../../../../platform/server/database.ts'
import { addressOfFile } from '../file/upload.ts'

/** Where a file is read that everybody may have, whatever their enterprise. */
export const OPEN_FILE = '/lbs/business/system/documentFile?fileName='
// oxlint-disable-next-line security/detect-non-literal-regexp -- an address of our own
const OWN_FILE = new RegExp(`${addressOfFile('').replaceAll(/[.?/]/g, '\\$&')}([\\w.-]{1,100})`, 'g')

/** Help and release notes are read in every enterprise, a file uploaded while writing them belongs to one: those that the text names are opened to all. */
export async function openToAll<T extends object>(tx: Tx, written: T): Promise<T> {
  const text = JSON.stringify(written)
  const names = [...text.matchAll(OWN_FILE)].map(([, name]) => name)
  if (names.length === 0) return written
  await run(tx, { sql: ADOPT }, [names])
  return JSON.parse(text.replaceAll(OWN_FILE, `${OPEN_FILE}$1`)) as T
}
const ADOPT = `insert into system.help_file (name, original_name, type, bytes, sha256, author_id)
  select name, original_name, type, bytes, sha256, author_id from system.file where enterprise_id = scope_enterprise() and name = any($1) on conflict do nothing`
