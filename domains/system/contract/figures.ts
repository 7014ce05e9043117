import { whole } from '../../../platform/contract/field.ts'
import { figures, type Listed, type Meaning, NOW } from '../../../platform/contract/figure.ts'
import { alarmRecord, AlarmState } from './alarmRecord.ts'
import { log, SignInOutcome } from './log.ts'

type Text = readonly [zh: string, en: string]

const at = ({ from, to }: { from: string; to: string }) => ({ atFrom: `${from} 00:00:00`, atTo: `${to} 23:59:59` })
const signIns = (counts: Text, ...outcomes: number[]): Listed => ({
  ...{ counts, time: ['按登录时间', 'by when it happened'] },
  opens: {
    ...{ path: '/appManage/system/loginLog', call: log.loginPage },
    filter: (within) => ({ ...at(within), outcome: outcomes.join(',') }),
  },
})
const now = (counts: Text): Meaning => ({ counts, time: NOW })
/** How the console is used. */
export const CONSOLE_USE = figures(
  undefined,
  {
    online: whole('在线用户', 'Users online'),
    signIns: whole('登录次数', 'Sign-ins'),
    refused: whole('登录失败', 'Failed sign-ins'),
    operations: whole('操作次数', 'Operations'),
    files: whole('文件', 'Files'),
  },
  {
    online: now(['此刻登录着控制台的用户', 'users who are signed in to the console now']),
    signIns: signIns(['成功的登录，一个人可有几次', 'sign-ins that succeeded; a person may have several'], SignInOutcome.right),
    refused: signIns(
      ['密码错误或账号锁定、没有成功的登录', 'sign-ins refused for a wrong name or password, or because the account is locked'],
      SignInOutcome.wrong,
      SignInOutcome.locked,
    ),
    operations: {
      ...{
        counts: ['用户做的操作，被拒绝和出错的也在内', 'what users did or tried, refused and failed ones included'],
        time: ['按操作时间', 'by when it was done'],
      },
      opens: { path: '/appManage/system/operateLog', call: log.operationPage, filter: at },
    },
    files: now(['上传和生成的文件，已删除的不计', 'files that were uploaded or made; deleted ones are not counted']),
  },
)
const alarms = (counts: Text, ...states: number[]): Listed => ({
  ...{ counts, time: NOW },
  opens: { path: '/appManage/server/alarmRecord', call: alarmRecord.pageQuery, filter: () => ({ state: states.join(',') }) },
})
/** The alarms of machines. A machine's metric is no figure: it is shown as it is. */
export const SERVER_ALARMS = figures(
  undefined,
  { open: whole('未恢复告警', 'Open server alarms'), unacknowledged: whole('未确认告警', 'Unacknowledged alarms') },
  {
    open: alarms(
      ['还没有恢复的服务器告警，不论是否已确认', 'server alarms that have not recovered, acknowledged or not'],
      AlarmState.raised,
      AlarmState.acknowledged,
    ),
    unacknowledged: alarms(
      ['还没有恢复、也没有人确认的服务器告警', 'server alarms that have not recovered and that nobody has acknowledged'],
      AlarmState.raised,
    ),
  },
)
