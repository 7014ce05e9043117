import { call } from '../../../platform/contract/call.ts'
import { anything, message, nothing, type Schema, text } from '../../../platform/contract/field.ts'

/** What arrives of a multipart field. */
export interface UploadedFile {
  name: string
  type: string
  bytes: Uint8Array
}

/** Pictures only, by their first bytes; the name and the declared type are not believed. */
export const FILE_BYTES_MAX = 20 * 1024 * 1024
export const FILE_TYPES = ['image/jpeg', 'image/png'] as const

export const file = {
  upload: call('system.file.upload', {
    service: 'basic',
    post: '/file/upload',
    needs: 'signed-in',
    writes: true,
    multipart: message({ file: anything as Schema<UploadedFile> }),
    reply: message({ url: text('地址', 'Address', { max: 300 }), fileName: text('文件名', 'File name', { max: 100 }) }),
  }),
  /** By the name that `upload` gave; it is looked up among the enterprise's own files and is never a path. */
  download: call('system.file.download', {
    service: 'basic',
    get: '/sysFile/download',
    needs: 'signed-in',
    file: true,
    query: message({ fileName: text('文件名', 'File name', { max: 200 }) }),
    reply: nothing,
  }),
}
