import { run } from '../../../../platform/server/database.ts'
import { NotFound, refusal } from '../../../../platform/server/refusal.ts'
import { type Handler, phased } from '../../../../platform/server/serve.ts'
import { readSheet, readWords } from '../../../../platform/server/sheets/run.ts'
import { clauseName, type regulation } from '../../contract/regulation.ts'
import { clausesIn, clausesOf, type FoundClause } from './clauseText.ts'
import { lockDraft, refuseTooMany } from './regulationRows.ts'
import '../tables.ts'

const WrongKind = refusal(
  'system.clause-file',
  40103,
  '请上传 .xlsx、.xls、.csv、.docx 或 .doc 文件',
  'Upload an .xlsx, .xls, .csv, .docx or .doc file',
  422,
)
const NoColumn = refusal('system.clause-no-column', 40104, '表格第一行应有「条文」列', 'The first row must contain a 条文 (Text) column', 422)
const NoClause = refusal('system.clause-none', 40105, '文件里没有找到「第…条」', 'No clause (第…条) was found in the file', 422)
const NotWritten = refusal(
  'system.clause-not-written',
  40106,
  '有 {bad} 处不正确，未导入任何内容；请修改后重新导入',
  'Nothing was imported, {bad:error} found: correct and try again',
  422,
)

/** Read in a process of its own, looked at whole, then written in one transaction or not at all. */
export const importClause: Handler<(typeof regulation)['importClause']> = phased(
  async ({ input: { file, regulationId, skipBad = false, dryRun = false }, request, read, write }) => {
    const speech = request.language === 'zh' ? 0 : 1
    const found = await clausesInFile(file)
    const known = await read(async (tx) => {
      const draft = await tx.selectFrom('system.regulation').select('state').where('id', '=', regulationId).executeTakeFirst()
      if (!draft) throw NotFound()
      return tx.selectFrom('system.clause').select(['no', 'subNo']).where('regulationId', '=', regulationId).execute()
    })
    const taken = new Set(known.map(({ no, subNo }) => `${no}-${subNo}`))
    const rows = found.map((clause) => ({ ...clause, fault: clause.fault ?? takenFault(clause, taken) }))
    const good = rows.filter(({ fault }) => fault === null)
    const bad = rows.length - good.length
    const report = (written: boolean) => ({
      written,
      added: good.length,
      bad,
      rows: rows.map(({ fault, ...clause }) => ({ ...clause, fault: fault?.[speech] ?? null })),
    })
    if (dryRun) return report(false)
    if (bad > 0 && !skipBad) throw NotWritten({ bad })
    await write(async (tx) => {
      await lockDraft(tx, regulationId)
      await refuseTooMany(tx, regulationId, good.length)
      const lines = good.map(({ no, subNo, chapter, content }) => ({ no, subNo, chapter, content }))
      await run(tx, { sql: INSERT }, [regulationId, JSON.stringify(lines)])
    })
    return report(true)
  },
)
const INSERT = `insert into system.clause (regulation_id, no, sub_no, chapter, content)
  select $1, no, "subNo", chapter, content from jsonb_to_recordset($2::jsonb) as c (no integer, "subNo" integer, chapter text, content text) order by no, "subNo"`

function takenFault({ no, subNo }: FoundClause, taken: ReadonlySet<string>): FoundClause['fault'] {
  if (no === null || !taken.has(`${no}-${subNo}`)) return null
  const [zh, en] = clauseName(no, subNo)
  return [`${zh}已存在，请换一个条号`, `${en} already exists: choose another number`]
}

async function clausesInFile(file: { name: string; bytes: Uint8Array } | undefined): Promise<FoundClause[]> {
  const ending = /\.(xlsx|xls|csv|docx?)$/i.exec(String(file?.name))?.[1]?.toLowerCase()
  if (!ending || !(file!.bytes instanceof Uint8Array) || file!.bytes.length === 0) throw WrongKind()
  if (ending.startsWith('doc')) {
    const found = clausesOf((await readWords(file!.bytes)).map((text, place) => ({ row: place + 1, text })))
    if (found.length === 0) throw NoClause()
    return found
  }
  const found = clausesIn((await readSheet(file!.bytes)).rows)
  if (!found) throw NoColumn()
  if (found.length === 0) throw NoClause()
  return found
}
