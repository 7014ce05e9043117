import type { Tx } from '../../../platform/server/database.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import type { Instant } from '../../../platform/contract/field.ts'
import { analysis } from '../contract/analysis.ts'
import { bestStations, incomeRows, totalOf } from './income.ts'
import { type Asked, pageOfRows, spanOf, withTimes } from './span.ts'
import { capacity, operations, times } from './usage.ts'

const sheetOf =
  <T>(rows: (tx: Tx, asked: Asked, at: Instant) => Promise<readonly T[]>) =>
  async ({ tx, input, at }: { tx: Tx; input: unknown; at: Instant }) =>
    pageOfRows(await rows(tx, withTimes(input as Partial<Asked>, at), at), input as { current?: number; limit?: number })

export const calls = serve(analysis, {
  incomeQueryPage: async ({ tx, input, at }) => pageOfRows(await incomeRows(tx, input, at), input),
  incomeQueryPageExport: exporting(analysis.incomeQueryPageExport, sheetOf(incomeRows)),
  async incomeQuery({ tx, input, at }) {
    const { from, to, thenFrom, thenTo } = spanOf(input, at)
    const [sums, before, bars, best] = await Promise.all([
      totalOf(tx, input, from, to),
      thenFrom ? totalOf(tx, input, thenFrom, thenTo!) : null,
      incomeRows(tx, input, at),
      bestStations(tx, input, from, to),
    ])
    return { now: sums, before, bars, best }
  },
  operationsAnalysis: async ({ tx, input, at }) => pageOfRows(await operations(tx, input, at), input),
  operationsAnalysisExport: exporting(analysis.operationsAnalysisExport, sheetOf(operations)),
  queryTime: ({ tx, input, at }) => times(tx, input, at),
  queryWeek: async ({ tx, input, at }) => pageOfRows((await times(tx, input, at)).week, input),
  exportQueryTime: exporting(
    analysis.exportQueryTime,
    sheetOf(async (tx, asked, at) => (await times(tx, asked, at)).week),
  ),
  capacityPage: async ({ tx, input, at }) => pageOfRows((await capacity(tx, input, at)).rows, input),
  capacityExport: exporting(
    analysis.capacityExport,
    sheetOf(async (tx, asked, at) => (await capacity(tx, asked, at)).rows),
  ),
  chargingCapacity: ({ tx, input, at }) => capacity(tx, input, at),
})
