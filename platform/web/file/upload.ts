import type { Call } from '../../contract/call.ts'
import { ask } from '../ask.ts'
import type { Text } from '../text.ts'

/** The answer to an upload. */
export interface Uploaded {
  url: string
  fileName: string
}
/** The call that takes files. `only` says that nothing but a picture is wanted. */
export type UploadCall = Call<{ file: any; only?: 'picture' }, Uploaded>

let door: UploadCall | undefined
/** The shell says once which call takes files: the blocks know no domain. */
export const uploadThrough = (call: UploadCall) => void (door = call)

/** The server's limit too: what it would refuse is not sent. */
export const UPLOAD_BYTES_MAX = 20 * 1024 * 1024
export const FILES_MAX = 20
const PICTURE_ENDINGS = /\.(jpe?g|png)$/i

/**
 * An early look at the file's name and type, which the server later checks by the bytes: the user hears of a fault before anything
 * is sent.
 */
export const isPicture = ({ name, type }: File) => PICTURE_ENDINGS.test(name) && (type === '' || type === 'image/jpeg' || type === 'image/png')
export const refusalOfPicture = (file: File): Text | undefined =>
  !isPicture(file)
    ? ['上传图片只能是 JPG,JPEG,PNG 格式!', 'Only JPG, JPEG and PNG pictures can be uploaded']
    : file.size > UPLOAD_BYTES_MAX
      ? ['上传图片大小不能超过 20MB!', 'A picture can be 20 MB at most']
      : undefined

export const ATTACHMENT_ENDINGS = ['jpg', 'jpeg', 'png', 'pdf', 'docx', 'xlsx', 'pptx', 'doc', 'xls', 'ppt', 'txt', 'csv'] as const
/** By the last ending alone; the server looks at the bytes. */
export const refusalOfFile = ({ name, size }: File): Text | undefined =>
  !ATTACHMENT_ENDINGS.some((ending) => name.toLowerCase().endsWith(`.${ending}`))
    ? [
        `不能上传「${name}」：可以上传图片、PDF、Word、Excel、PPT 和纯文本`,
        `“${name}” cannot be uploaded; use pictures, PDF, Word, Excel, PowerPoint or plain text`,
      ]
    : size > UPLOAD_BYTES_MAX
      ? ['上传文件大小不能超过 20MB!', 'A file can be 20 MB at most']
      : undefined

interface SendOptions {
  only?: 'picture'
  signal?: AbortSignal
  /** Share of the file that has left, 0 to 1. */
  onProgress?: (share: number) => void
  /** The same for every try of one file: an answer that got lost does not make two files. */
  key?: string
}
/** Sends one file. @throws Refusal, which has been shown unless the caller aborted. */
export async function send(file: File, { only, signal, onProgress, key }: SendOptions = {}): Promise<Uploaded> {
  if (!door) throw new Error('uploadThrough was not called.')
  return ask(door, { file, ...(only && { only }) }, { ...(signal && { signal }), ...(key && { key }), fetch: sendingWith(onProgress) })
}

/** `fetch` cannot say how much has left; XMLHttpRequest can. */
const sendingWith =
  (onProgress: SendOptions['onProgress']) =>
  (url: string, { method = 'POST', headers, body, signal }: RequestInit): Promise<Response> =>
    new Promise((answer, fail) => {
      const request = new XMLHttpRequest()
      request.open(method, url)
      for (const [name, value] of Object.entries((headers ?? {}) as Record<string, string>)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0)
      request.onload = () => answer(new Response(request.responseText, { status: request.status, headers: headersOf(request) }))
      request.onerror = () => fail(new TypeError('The server was not reached.'))
      request.onabort = () => fail(new DOMException('Aborted', 'AbortError'))
      signal?.addEventListener('abort', () => request.abort())
      if (signal?.aborted) return fail(new DOMException('Aborted', 'AbortError'))
      request.send(body as XMLHttpRequestBodyInit)
    })
const headersOf = (request: XMLHttpRequest) =>
  new Headers(
    request
      .getAllResponseHeaders()
      .trim()
      .split(/[\r\n]+/)
      .filter(Boolean)
      .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
