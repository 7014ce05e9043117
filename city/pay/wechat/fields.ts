import { rfc3339In } from '../clock.ts'
import type { Asked } from '../wire.ts'
import { WechatRefusal } from './refusals.ts'

interface Limits {
  most: number
  least?: number
  form?: RegExp
}
/** Fields of a JSON body, with the channel's own refusals: PARAM_ERROR names the field. */
export class Fields {
  readonly #values: Readonly<Record<string, unknown>>
  readonly #at: string
  constructor(values: Readonly<Record<string, unknown>>, at = '') {
    this.#values = values
    this.#at = at
  }

  text(name: string, limits: Limits): string {
    return this.maybe(name, limits) ?? this.refuse(name, '缺少必填字段')
  }
  maybe(name: string, { most, least = 1, form }: Limits): string | undefined {
    const value = this.#values[name]
    if (value === undefined) return undefined
    if (typeof value !== 'string') return this.refuse(name, '不是字符串')
    const { length } = [...value]
    if (length < least || length > most || (form && !form.test(value))) return this.refuse(name, '字符串规则校验失败')
    return value
  }
  whole(name: string, least = 0): number {
    const value = this.#values[name]
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= least ? value : this.refuse(name, '数值规则校验失败')
  }
  /** RFC 3339 as milliseconds. */
  time(name: string): number | undefined {
    const text = this.maybe(name, { most: 64 })
    return text === undefined ? undefined : (rfc3339In(text) ?? this.refuse(name, '时间格式不符合rfc3339'))
  }
  within(name: string): Fields {
    const value = this.#values[name]
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.refuse(name, '缺少必填字段')
    return new Fields(value as Record<string, unknown>, `${this.#at}/${name}`)
  }
  has(name: string): boolean {
    return this.#values[name] !== undefined
  }
  /** HTTPS without a query; a channel on this machine also reaches a server on this machine. */
  address(name: string): string {
    const text = this.text(name, { most: 255 })
    const url = URL.parse(text)
    const isHere = url?.protocol === 'http:' && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(url.hostname)
    return url && (url.protocol === 'https:' || isHere) && url.search === '' ? text : this.refuse(name, '无效的通知地址')
  }

  refuse(name: string, issue: string): never {
    const field = `${this.#at}/${name}`
    throw new WechatRefusal('PARAM_ERROR', `输入源“/body${field}”${issue}`, { field, issue, location: 'body', value: this.#values[name] })
  }
}

export function bodyOf({ body }: Asked): Fields {
  try {
    const parsed = JSON.parse(body) as unknown
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return new Fields(parsed as Record<string, unknown>)
  } catch {
    // Refused below.
  }
  throw new WechatRefusal('PARAM_ERROR', '请求体不是合法的JSON', { location: 'body' })
}

/** Of orders and of refunds. */
export const NUMBER: Limits = { most: 32, least: 6, form: /^[0-9A-Za-z_\-*|]+$/ }
export const REFUND_NUMBER: Limits = { most: 64, form: /^[0-9A-Za-z_\-|*@]+$/ }
