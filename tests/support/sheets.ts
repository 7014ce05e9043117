import type { TestServer } from './server.ts'

/** A file as a browser sends it. */
export function formOf(name: string, bytes: Uint8Array | string, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  form.set('file', new Blob([bytes as never]), name)
  return form
}
export const sendSheet = (server: TestServer, token: string, address: string, csv: string, fields: Record<string, string> = {}) =>
  server.ask(token, 'POST', address, formOf('rows.csv', csv, fields))
