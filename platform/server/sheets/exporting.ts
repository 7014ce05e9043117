import { EXPORT_AT_ONCE, type ExportCall, type Queued, type SheetFormat } from '../../contract/sheet.ts'
import { cityTime } from '../../contract/time.ts'
import { fileOf } from '../fileReply.ts'
import { askedWhole, hiddenFrom } from '../personal.ts'
import { type Handler, phased } from '../serve.ts'
import { drawingsOf, type Speech } from './cells.ts'
import { queueExport } from './exports.ts'
import { FORMATS } from './formats.ts'
import { writeSheet } from './run.ts'
import { cellsOf, chosen, fieldsOf, pageOf, rememberExport, type Source } from './source.ts'
import './tables.ts'

/**
 * The handler of an `exportOf` call: the rows that the list shows under the same criteria, in its order, under the same scope. Up to EXPORT_AT_ONCE rows are the answer;
 * more are written in the background. Either is in the log.
 */
export function exporting<C>(call: ExportCall<C>, source: Source): Handler<ExportCall<C>> {
  rememberExport(call, source)
  const refuseParts = askedWhole(call.input)
  return phased<any, Queued>(
    async ({ input: { format = 'xls', columns: wanted, ...criteria }, actor, at, request, read, write }) => {
      const language: Speech = request.language === 'zh' ? 0 : 1
      const hidden = hiddenFrom(actor)
      refuseParts(criteria, hidden)
      const columns = chosen(call.columns, wanted)
      const rows = await read((tx) => pageOf(source, { tx, input: { ...criteria, current: 1, limit: EXPORT_AT_ONCE + 1 }, actor }))
      const name = `${call.title[language]}-${cityTime(at).replaceAll(/\D/g, '')}`
      const log = { personId: actor.userId, call: call.id, title: call.title[0], titleEn: call.title[1], criteria: JSON.stringify(criteria), format }
      if (rows.length > EXPORT_AT_ONCE) {
        const id = await write((tx) => queueExport(tx, log, { columns: columns.map((one) => one.name), scope: actor.scope, hidden, language, name }))
        return { id, rows: null }
      }
      await write((tx) =>
        tx
          .insertInto('platform.export')
          .values({ ...log, rows: rows.length })
          .execute(),
      )
      const drawings = await read((tx) => drawingsOf(tx, columns, language, hidden))
      const body = await writeSheet(format as SheetFormat, call.title[language], drawings, cellsOf(rows, fieldsOf(columns, language)))
      return fileOf({ name: `${name}.${format}`, type: FORMATS[format as SheetFormat].type, body })
    },
    { anew: true },
  ) as never
}
