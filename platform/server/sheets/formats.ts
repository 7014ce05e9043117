import type { SheetFormat } from '../../contract/sheet.ts'

export const FORMATS: Record<SheetFormat, { type: string }> = {
  xls: { type: 'application/vnd.ms-excel' },
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  csv: { type: 'text/csv; charset=utf-8' },
}
