import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Day } from '../../../../../platform/contract/field.ts'
import { BadFile } from '../../clearing/files.ts'
import type { Client } from './client.ts'
import { WechatSaid } from './words.ts'

const BILLS = {
  trade: { path: '/v3/bill/tradebill', query: { bill_type: 'ALL' } },
  fund: { path: '/v3/bill/fundflowbill', query: { account_type: 'BASIC' } },
} as const
/** Of a packed bill; so many bytes are more than its lines may have. */
const PLAIN_BYTES_MAX = 256 * 1024 * 1024
const GZIP = Buffer.from([0x1f, 0x8b])
const unpacked = promisify(gunzip)

/**
 * The bill of a day as WeChat wrote it; none where nothing happened on that day, or it is not written yet (from ten in the morning on it is).
 * @throws PayAway, BadFile where what came is not what WeChat's signed answer promised
 */
export async function billFile(client: Client, kind: keyof typeof BILLS, day: Day): Promise<Buffer | undefined> {
  const { path, query } = BILLS[kind]
  try {
    const answer = await client.ask({ method: 'GET', path, query: { bill_date: day, ...query, tar_type: 'GZIP' } })
    const [digest, address] = [answer.text('hash_value'), answer.text('download_url')]
    const came = await client.file(address)
    const plain = came.subarray(0, GZIP.length).equals(GZIP) ? await unpack(came) : came
    // SHA-1 is what WeChat gives: against a cut or mixed-up file it is good enough, and the address came in a signed answer.
    if (answer.text('hash_type') !== 'SHA1' || createHash('sha1').update(plain).digest('hex') !== digest.toLowerCase())
      throw BadFile({ zh: '文件摘要与微信所给的不符', en: 'its digest is not the one that WeChat gave' })
    return plain
  } catch (error) {
    if (error instanceof WechatSaid && error.outcome === 'none') return undefined
    throw error
  }
}
const unpack = (bytes: Buffer): Promise<Buffer> =>
  unpacked(bytes, { maxOutputLength: PLAIN_BYTES_MAX }).catch(() => {
    throw BadFile({ zh: '压缩文件不完整', en: 'its archive is incomplete' })
  })
