import { lazy, Suspense } from 'react'
import type { QrDialogProps } from './QrBody.tsx'
import type { QrSheetProps } from './QrSheetBody.tsx'

const Body = lazy(() => import('./QrBody.tsx'))

/** Shows a code of 300 px, and saves it as a picture of 512. Mount it when it opens, unmount it in `onClose`. */
export const QrDialog = (props: QrDialogProps) => (
  <Suspense>
    <Body {...props} />
  </Suspense>
)

const SheetBody = lazy(() => import('./QrSheetBody.tsx'))
/** Many codes on a sheet, seen first and then printed. */
export const QrSheet = (props: QrSheetProps) => (
  <Suspense>
    <SheetBody {...props} />
  </Suspense>
)
