import { lazy, Suspense } from 'react'
import { Watermark } from '../../platform/web/Watermark.tsx'
import { gateAct } from './dialogs.ts'

const GateActDialog = lazy(() => import('../../domains/parking/web/GateActDialog.tsx'))

/** What lies over every page; it comes after the page itself. */
export default function Overlays() {
  const chosen = gateAct.use()
  return (
    <>
      <Watermark />
      {chosen && (
        <Suspense>
          <GateActDialog {...chosen} onClose={() => gateAct.set(undefined)} />
        </Suspense>
      )}
    </>
  )
}
