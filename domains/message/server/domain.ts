import { plural } from '../../../platform/contract/plural.ts'
import type { Domain } from '../../../platform/server/domain.ts'
import { on } from '../../../platform/server/events.ts'
import { allowOutside } from '../../../platform/server/outside.ts'
import { exportOver } from '../../../platform/server/sheets/exports.ts'
import { scheduleStopped } from '../../../platform/server/sheets/scheduled.ts'
import { menu } from '../contract/menu.ts'
import { calls as channel } from './channel.ts'
import { tasks } from './deliver/jobs.ts'
import { calls as news } from './news.ts'
import { sendNotices, tellOne } from './notice.ts'
import { calls as record } from './record.ts'
import { calls as rule } from './rule.ts'
import { sendInner } from './sending.ts'
import { calls as statistics } from './statistics.ts'
import { calls as task } from './task.ts'
import { calls as template } from './template.ts'
import { nouns } from './nouns.ts'
import { records } from './records.ts'

export const message: Domain = {
  name: 'message',
  calls: [...record, ...channel, ...template, ...task, ...statistics, ...news, ...rule],
  menu,
  nouns,
  records,
  tasks,
  start() {
    // Addresses of the own network, `host:port`, that messages may go to: a mail server, a gateway in the machine room.
    allowOutside(
      (process.env['OUTSIDE_ALLOWED'] ?? '')
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
    )
    sendNotices()
    on(exportOver, 'message.tell', async ({ tx, data: { personId, title, titleEn, rows, done, scheduled } }) => {
      const text: readonly [zh: string, en: string] = done
        ? [`导出完成：${title}`, `Export ready: ${titleEn}`]
        : [`导出失败：${title}`, `Export failed: ${titleEn}`]
      const body: readonly [zh: string, en: string] = done
        ? [`共 ${rows} 行，文件保留 7 天，在「我的导出」中下载。`, `${rows} ${plural(rows, 'row')}; the file is kept for 7 days under “My exports”.`]
        : ['没有生成文件，请重试或缩小范围。', 'No file was created. Try again, or narrow the list.']
      const to = { custId: personId }
      if (!scheduled) return void (await sendInner(tx, { to, title: text, body, link: EXPORTS }))
      // Nobody may be waiting in the console for a scheduled export: it is told as the enterprise's template says, too, and names the page, never the file.
      const template = done ? 'export.scheduled' : 'export.scheduled-failed'
      await tellOne(tx, to, { title: text, body, link: EXPORTS, template, vars: { list: title, listEn: titleEn, rows: String(rows), link: page() } })
    })
    on(scheduleStopped, 'message.schedule-stopped', async ({ tx, data: { personId, name, why, gone } }) => {
      const title: readonly [zh: string, en: string] = [`定时导出已停止：${name}`, `Scheduled export stopped: ${name}`]
      const body: readonly [zh: string, en: string] = [
        `${why[0]}。问题解决后可在「我的导出 · 定时」中恢复。`,
        `${why[1]}. Once this is fixed, resume it under “My exports”, Scheduled.`,
      ]
      // Whose account is closed reads no messages; those who keep the accounts do.
      if (gone) return void (await sendInner(tx, { to: { capability: 'identity:person:edit', parkCode: null }, title, body }))
      const vars = { list: name, why: why[0], whyEn: why[1], link: page() }
      await tellOne(tx, { custId: personId }, { title, body, link: EXPORTS, template: 'export.scheduled-stopped', vars })
    })
  },
}
/** The page of one's own exports. */
const EXPORTS = '/index?exports'
/** Its address for who reads of it elsewhere; where nobody has said under which address the console is reached, its place there. */
const page = () => `${(process.env['PUBLIC_URL'] ?? '').replace(/\/$/, '')}/dist${EXPORTS}`
