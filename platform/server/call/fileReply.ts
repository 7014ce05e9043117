import type { Readable } from 'node:stream'

/** The answer of a `file: true` call. */
export class FileReply {
  readonly name: string
  readonly type: string
  readonly body: Buffer | string | Readable
  readonly inline: boolean
  constructor(name: string, type: string, body: Buffer | string | Readable, inline: boolean) {
    this.name = name
    this.type = type
    this.body = body
    this.inline = inline
  }
}
/** A file goes past the envelope, and past the reply that its call names. */
export const fileOf = ({ name, type, body, inline = false }: { name: string; type: string; body: Buffer | string | Readable; inline?: boolean }) =>
  new FileReply(name, type, body, inline) as never
