import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import { CITY_OFFSET_MS } from '../../platform/contract/time.ts'

// T/CEC 102 written apart from the platform's own, as a real partner's would be: if the two disagree, the tests say so.
export interface Four {
  operatorSecret: string
  dataSecret: string
  dataSecretIv: string
  sigSecret: string
}
export interface Request {
  OperatorID: string
  Data: string
  TimeStamp: string
  Seq: string
  Sig: string
}
export interface Reply {
  Ret: number
  Msg: string
  Data: string
  Sig: string
}
export type Said = Record<string, any>

const key = (text: string) => Buffer.from(text, 'utf8')
function closed(data: object, { dataSecret, dataSecretIv }: Four): string {
  const cipher = createCipheriv('aes-128-cbc', key(dataSecret), key(dataSecretIv))
  return cipher.update(JSON.stringify(data), 'utf8', 'base64') + cipher.final('base64')
}
/** Decrypts the content of Data. */
export function opened(data: string, { dataSecret, dataSecretIv }: Four): Said {
  const decipher = createDecipheriv('aes-128-cbc', key(dataSecret), key(dataSecretIv))
  return JSON.parse(decipher.update(data, 'base64', 'utf8') + decipher.final('utf8')) as Said
}
const sign = (text: string, { sigSecret }: Four) => createHmac('md5', key(sigSecret)).update(text).digest('hex').toUpperCase()
const alike = (given: unknown, wanted: string) => {
  const text = Buffer.from(String(given))
  return text.length === wanted.length && timingSafeEqual(text, Buffer.from(wanted))
}

/** `yyyyMMddHHmmss`, the city's time. */
export const stamped = (ms: number): string => new Date(ms + CITY_OFFSET_MS).toISOString().slice(0, 19).replaceAll(/\D/g, '')

export function request(OperatorID: string, data: object, seq: number, secrets: Four): Request {
  const [Data, TimeStamp, Seq] = [closed(data, secrets), stamped(Date.now()), String((seq % 9_999) + 1).padStart(4, '0')]
  return { OperatorID, Data, TimeStamp, Seq, Sig: sign(`${OperatorID}${Data}${TimeStamp}${Seq}`, secrets) }
}
export const isTheirs = ({ OperatorID, Data, TimeStamp, Seq, Sig }: Request, secrets: Four): boolean =>
  alike(Sig, sign(`${OperatorID}${Data}${TimeStamp}${Seq}`, secrets))

export function reply(Ret: number, Msg: string, data: object, secrets: Four): Reply {
  const Data = closed(data, secrets)
  return { Ret, Msg, Data, Sig: sign(`${Ret}${Msg}${Data}`, secrets) }
}
/** @throws where it is not signed as agreed, or says no */
export function replied({ Ret, Msg, Data, Sig }: Reply, secrets: Four): Said {
  if (Ret !== 0) throw new Refused(Ret, Msg)
  if (!alike(Sig, sign(`${Ret}${Msg}${Data}`, secrets))) throw new Error('the answer is not signed as agreed')
  return opened(Data, secrets)
}
export class Refused extends Error {
  readonly ret: number
  constructor(ret: number, msg: string) {
    super(`Ret ${ret}: ${msg}`)
    this.ret = ret
  }
}
