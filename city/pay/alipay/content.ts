import { fenIn } from '../clock.ts'
import { AlipayRefusal } from './refusals.ts'

/** Fields of `biz_content`. */
export class Content {
  readonly #values: Readonly<Record<string, unknown>>
  constructor(text: string | undefined) {
    this.#values = parsed(text)
  }
  text(name: string, most: number): string {
    return this.maybe(name, most) ?? refuse(name)
  }
  maybe(name: string, most: number): string | undefined {
    const value = this.#values[name]
    if (value === undefined || value === '') return undefined
    return typeof value === 'string' && [...value].length <= most ? value : refuse(name)
  }
  /** Yuan with at most two digits behind the point, as fen. */
  fen(name: string): number {
    const fen = fenIn(this.#values[name])
    return fen === undefined || fen === 0 ? refuse(name) : fen
  }
}
function parsed(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(text ?? '{}') as unknown
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Refused below.
  }
  return refuse('biz_content')
}
export const refuse = (name: string): never => {
  throw new AlipayRefusal('ACQ.INVALID_PARAMETER', `参数无效：${name}`)
}
