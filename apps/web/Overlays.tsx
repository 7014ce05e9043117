import { lazy, Suspense } from 'react'
import { tourShown } from '../../platform/web/tour/tour.ts'
import { Watermark } from '../../platform/web/draw/Watermark.tsx'
import { gateAct } from './own/dialogs.ts'

const TourShown = lazy(() => import('../../platform/web/tour/TourShown.tsx'))
const GateActDialog = lazy(() => import('../../domains/parking/web/lane/GateActDialog.tsx'))

/** Layers over every page; they come after the page itself. */
export default function Overlays() {
  const chosen = gateAct.use()
  const tour = tourShown.use()
  return (
    <>
      <Watermark />
      {tour && (
        <Suspense>
          <TourShown of={tour} onClose={() => tourShown.set(undefined)} />
        </Suspense>
      )}
      {chosen && (
        <Suspense>
          <GateActDialog {...chosen} onClose={() => gateAct.set(undefined)} />
        </Suspense>
      )}
    </>
  )
}
