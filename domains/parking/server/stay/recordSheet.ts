import { serve } from '../../../../platform/server/serve.ts'
import { exporting } from '../../../../platform/server/sheets/exporting.ts'
import { recordSheet } from '../../contract/recordSheet.ts'
import { parks } from '../place/park.ts'
import { choosePresent, chooseStays } from './stay.ts'

export const calls = serve(recordSheet, {
  records: exporting(recordSheet.records, { choose: chooseStays }),
  present: exporting(recordSheet.present, { choose: choosePresent }),
  parks: exporting(recordSheet.parks, parks),
})
