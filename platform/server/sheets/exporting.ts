import { EXPORT_AT_ONCE, type ExportCall, type Queued, type SheetFormat } from '../../contract/sheet.ts'
import type { Speech } from '../../contract/said.ts'
import { cityTime } from '../../contract/time.ts'
import { fileOf } from '../call/fileReply.ts'
import { askedWhole, hiddenFrom } from '../call/personal.ts'
import { json } from '../row.ts'
import { phased, type Phased } from '../serve.ts'
import { drawingsOf } from './cells.ts'
import { queueExport, streamedExport } from './exports.ts'
import { FORMATS } from './formats.ts'
import { writeSheet } from './run.ts'
import { cellsOf, chosen, fieldsOf, pageOf, rememberExport, type Source } from './source.ts'
import './tables.ts'

/**
 * The handler of an `exportOf` call: the rows that the list shows under the same criteria, in its order, under the same scope. The answer is the file: up to
 * EXPORT_AT_ONCE rows written at once, more while they are read, or later in the background for whoever asks for that. All are in the log.
 */
export function exporting<C>(call: ExportCall<C>, source: Source): Phased<any, Queued> {
  rememberExport(call, source)
  const refuseParts = askedWhole(call.input)
  return phased<any, Queued>(
    async ({ input: { format = 'xls', columns: wanted, background = false, ...criteria }, actor, at, request, read, write }) => {
      const language: Speech = request.language === 'zh' ? 0 : 1
      const hidden = hiddenFrom(actor)
      refuseParts(criteria, hidden)
      const columns = chosen(call.columns, wanted)
      const rows = await read((tx) => pageOf(source, { tx, input: { ...criteria, current: 1, limit: EXPORT_AT_ONCE + 1 }, actor, at }))
      const name = `${call.title[language]}-${cityTime(at).replaceAll(/\D/g, '')}`
      const log = { personId: actor.userId, call: call.id, title: call.title[0], titleEn: call.title[1], criteria: json(criteria), format }
      if (rows.length > EXPORT_AT_ONCE && background) {
        const id = await write((tx) => queueExport(tx, log, { columns: columns.map((one) => one.name), scope: actor.scope, hidden, language, name }))
        return { id, rows: null }
      }
      const logged = (count: number | null, as = log.format) =>
        write((tx) =>
          tx
            .insertInto('platform.export')
            .values({ ...log, format: as, rows: count })
            .execute(),
        )
      if (rows.length > EXPORT_AT_ONCE) {
        const asked = {
          call,
          source,
          criteria,
          columns,
          scope: actor.scope,
          hidden,
          language,
          format,
          personId: actor.userId,
          enterprise: actor.enterprise,
          at,
        }
        const long = await streamedExport(asked, logged)
        return fileOf({ name: `${name}.${long.format}`, type: FORMATS[long.format].type, body: long.body })
      }
      await logged(rows.length)
      const drawings = await read((tx) => drawingsOf(tx, columns, language, hidden))
      const body = await writeSheet(format as SheetFormat, call.title[language], drawings, cellsOf(rows, fieldsOf(columns, language), language))
      return fileOf({ name: `${name}.${format}`, type: FORMATS[format as SheetFormat].type, body })
    },
    { anew: true },
  )
}
