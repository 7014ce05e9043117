import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { logSheet } from '../contract/logSheet.ts'
import { offlines, warnings } from './message.ts'

export const calls = serve(logSheet, {
  offline: exporting(logSheet.offline, offlines),
  warning: exporting(logSheet.warning, warnings),
})
