import { lazy, Suspense } from 'react'
import type { FileUploadProps } from './FileUploadBody.tsx'
import type { ImageUploadProps } from './ImageUploadBody.tsx'

const Images = lazy(() => import('./ImageUploadBody.tsx'))
const Files = lazy(() => import('./FileUploadBody.tsx'))

/** Pictures of a form: JPG, JPEG and PNG, up to 20 of 20 MB. The value is the comma list of their addresses. */
export const ImageUpload = (props: ImageUploadProps) => (
  <Suspense fallback={<div className="image-upload" aria-busy />}>
    <Images {...props} />
  </Suspense>
)
/** Attachments of a form: pictures, PDF, Office documents and text, up to 20 of 20 MB. */
export const FileUpload = (props: FileUploadProps) => (
  <Suspense fallback={<div className="file-upload" aria-busy />}>
    <Files {...props} />
  </Suspense>
)
