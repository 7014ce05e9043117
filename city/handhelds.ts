import { enrol, hashOf, hear } from '../domains/device/server/api.ts'
import { DAY_MS, dayOf, instantAt, MINUTE_MS, startOf } from '../platform/contract/time.ts'
import type { House } from '../platform/server/domain.ts'
import { randomFrom } from './random.ts'

const HANDHELD = 8
const DAYS = 4
const APP = '3.2.1'
/** A handheld, its park and who carries it. */
const CARRIED = [
  ['PDA-0001', 'P001', 'T008'],
  ['PDA-0002', 'P002', 'T011'],
  ['PDA-0003', 'P003', 'T015'],
] as const

type Said = readonly [level: 'info' | 'warn' | 'error', tag: string, text: string]
/** At the beginning and at the end of a shift. */
const BEGIN: readonly Said[] = [
  ['info', '班次', '签到成功，班次 早班'],
  ['info', '网络', '已连接 4G，信号良好'],
]
const END: readonly Said[] = [
  ['info', '上传', '当班记录全部上传'],
  ['info', '班次', '签退成功，现金已缴存'],
]
/** What happens between, the usual first. */
const BETWEEN: readonly Said[] = [
  ['info', '收费', '扫码收费成功，小票已打印'],
  ['info', '收费', '扫码收费成功，车主不需要小票'],
  ['info', '上传', '现场照片上传完成，共 3 张'],
  ['info', '网络', '网络由 4G 切换到无线'],
  ['info', '定位', '定位完成，精度 8 米'],
  ['warn', '打印', '打印机缺纸'],
  ['warn', '电量', '电量低于 20%，请及时充电'],
  ['warn', '定位', '定位精度低于 50 米，泊位请人工确认'],
  ['warn', '时钟', '本机时钟快 42 秒，已按服务器校正'],
  ['error', '打印', '蓝牙打印机连接断开，重连失败 3 次'],
  ['error', '上传', '照片上传超时，已存入本机待补传'],
  ['error', '相机', '相机初始化失败，请重启程序'],
]

/** A few days of what three handhelds say of themselves, heard as the gateway hears a device. */
export async function addHandhelds(house: House, enterprise: number, secret: string, nowMs: number): Promise<void> {
  const secretHash = await hashOf(secret)
  const { next } = randomFrom(31)
  const today = Date.parse(startOf(dayOf(instantAt(nowMs))))
  await house.writing(enterprise, 'demo', async (tx) => {
    for (const [sn, parkCode] of CARRIED)
      await enrol(tx, { sn, name: `手持机 ${sn.slice(-2)}`, type: HANDHELD, parkCode, gateCode: null as never, secretHash })
    for (const [sn, , tollNo] of CARRIED)
      for (let back = DAYS - 1; back >= 0; back--)
        for (const [place, [hours, [level, tag, text]]] of shift(next).entries()) {
          const ms = Math.round(today - back * DAY_MS + hours * 60 * MINUTE_MS)
          if (ms > nowMs - MINUTE_MS) continue
          const mid = `${sn}-${ms}-${place}`
          const body = { type: 'log', level, tag, text, tollNo, app: APP }
          await hear(tx, { sn, kind: 'event', mid, ts: ms - 2_000, receivedMs: ms, offline: false, seq: null, type: 'log', body })
        }
  })
}

const FROM_HOUR = 7.5
const SHIFT_HOURS = 10
function shift(next: () => number): [hours: number, Said][] {
  // Squared: the usual is heard more often than what breaks.
  const usual = () => BETWEEN[Math.floor(next() ** 2 * BETWEEN.length)]!
  const between = Array.from({ length: 3 + Math.floor(next() * 4) }, (): [number, Said] => [FROM_HOUR + 0.5 + (SHIFT_HOURS - 1) * next(), usual()])
  const begin = BEGIN.map((said, at): [number, Said] => [FROM_HOUR + (at + next()) / 60, said])
  const end = END.map((said, at): [number, Said] => [FROM_HOUR + SHIFT_HOURS + (at + next()) / 60, said])
  return [...begin, ...between.sort(([a], [b]) => a - b), ...end]
}
