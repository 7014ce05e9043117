import { call } from '../../../platform/contract/call.ts'
import { anything, message, nothing, type Schema, text } from '../../../platform/contract/field.ts'

/** An uploaded file of a multipart field. */
export interface UploadedFile {
  name: string
  type: string
  bytes: Uint8Array
}

/** Known by their first bytes; the name and the declared type are not believed. */
export const FILE_BYTES_MAX = 20 * 1024 * 1024
export const FILE_TYPES = ['image/jpeg', 'image/png'] as const

const signedIn = { service: 'basic', needs: 'signed-in' } as const
export const file = {
  /** A picture is drawn anew; a document of the kinds that are taken is kept as it is. `only=picture` takes nothing else. */
  upload: call('system.file.upload', {
    ...signedIn,
    post: '/file/upload',
    writes: true,
    does: ['上传文件', 'Uploaded a file'],
    multipart: message({ file: anything as Schema<UploadedFile> }, { only: text('只收', 'Only', { pattern: '^picture$' }) as Schema<'picture'> }),
    reply: message({ url: text('地址', 'Address', { max: 300 }), fileName: text('文件名', 'File name', { max: 100 }) }),
  }),
  /** By the name that `upload` gave; it is looked up among the enterprise's own files and is never a path. */
  download: call('system.file.download', {
    forPrograms: true,
    ...signedIn,
    get: '/sysFile/download',
    file: true,
    query: message({ fileName: text('文件名', 'File name', { max: 200 }) }),
    reply: nothing,
  }),
}
