import os from 'node:os'
import type { CodeOf } from '../../../platform/contract/field.ts'
import { instantAt, MINUTE_MS } from '../../../platform/contract/time.ts'
import type { House } from '../../../platform/server/domain.ts'
import { Metric, type MetricCode, SAMPLE_SECONDS } from '../contract/performance.ts'
import { lookForAlarms } from './alarm/alarms.ts'
import { rollUp } from './machine/performance.ts'
import { keepSample } from './machine/sample.ts'
import { AlarmLevel, AlarmOp } from '../contract/alarmRule.ts'
import './tables.ts'

/** The past hours of this machine before the demo was there: a sample a minute, and each of the last hour. */
const HOURS = 6
const WHOLE_MIN = 65
/** A busy half hour in it raises an alarm that is long over. */
const BUSY_FROM_MIN = 250
const BUSY_TO_MIN = 220

/** Rules that a careful operator has, and a machine with a past: once, when the demo is filled. */
export async function demoServers(house: House, enterprise: number, nowMs: number): Promise<void> {
  await house.writing(enterprise, 'system.demo', async (tx) => {
    const known = await tx.selectFrom('system.alarmRule').select('id').limit(1).executeTakeFirst()
    if (known) return
    const rule = (name: string, metric: MetricCode, threshold: number, forMin: number, level: CodeOf<typeof AlarmLevel>) => ({
      ...{ name, metric, threshold, forMin, level },
      ...{ op: AlarmOp.above, silenceMin: 30, remark: null },
    })
    await tx
      .insertInto('system.alarmRule')
      .values([
        rule('处理器持续过高', Metric.processor, 90, 10, AlarmLevel.major),
        rule('内存不足', Metric.memory, 92, 5, AlarmLevel.major),
        rule('磁盘将满', Metric.disk, 90, 0, AlarmLevel.critical),
        rule('程序响应迟缓', Metric.loopDelay, 2000, 5, AlarmLevel.minor),
        rule('数据库连接将满', Metric.connectionsUsed, 85, 2, AlarmLevel.critical),
        rule('服务器失联', Metric.silence, 300, 0, AlarmLevel.critical),
      ])
      .execute()
    for (let minute = HOURS * 60; minute > 0; minute -= minute <= WHOLE_MIN ? SAMPLE_SECONDS / 60 : 1) {
      const busy = minute <= BUSY_FROM_MIN && minute > BUSY_TO_MIN
      await keepSample(tx, pastLook(minute, busy, nowMs), instantAt(slotOf(nowMs - minute * MINUTE_MS)))
      if (minute === BUSY_TO_MIN + 5 || minute === BUSY_TO_MIN - 2) await lookForAlarms(tx, instantAt(nowMs - minute * MINUTE_MS))
    }
    await rollUp(tx, instantAt(nowMs))
  })
}

const slotOf = (ms: number) => Math.floor(ms / 1000 / SAMPLE_SECONDS) * SAMPLE_SECONDS * 1000

function pastLook(minute: number, busy: boolean, nowMs: number) {
  const wave = Math.sin(minute / 23) + 0.4 * Math.sin(minute / 5)
  const about = (base: number, swing: number) => Math.max(0, Math.round(base + swing * wave))
  const memBytes = os.totalmem()
  return {
    ...{
      name: os.hostname().slice(0, 100),
      os: `${os.type()} ${os.release()}`,
      cpu: os.cpus()[0]?.model ?? os.arch(),
      cores: os.availableParallelism(),
      memBytes,
    },
    programStartedAt: instantAt(nowMs - HOURS * 60 * MINUTE_MS),
    disks: [],
    figures: {
      ...{
        cpuPermille: busy ? about(955, 12) : about(240, 110),
        memPermille: about(busy ? 640 : 520, 30),
        diskPermille: 412,
        loadPercent: about(busy ? 180 : 45, 25),
      },
      ...{ netInBytes: about(180_000, 60_000), netOutBytes: about(420_000, 150_000), programBytes: about(310_000_000, 20_000_000) },
      ...{ programPermille: about(busy ? 700 : 120, 60), loopMs: about(busy ? 90 : 22, 4) },
    },
  }
}
