import { among, day, fen, id, instant, listOf, shaped, text, whole, yes } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { Recharge } from '../contract/account.ts'
import { Advertisement, AdStatus } from '../contract/advertisement.ts'
import { Merchant } from '../contract/merchant.ts'

export const nouns: Noun[] = [
  {
    table: 'merchant.merchant',
    entity: Merchant,
    also: {
      quotaTargetFen: fen('收回后额度', 'Credit after withdrawal'),
      mustChange: yes('须修改密码', 'Must change the password'),
      deleted: yes('已删除', 'Deleted'),
      failures: whole('登录失败次数', 'Failed sign-ins', { min: 0 }),
      lockedUntil: instant('锁定至', 'Locked until'),
    },
  },
  { table: 'merchant.recharge', entity: Recharge },
  {
    table: 'merchant.confirmation',
    label: ['对账确认', 'Statement confirmation'],
    entity: Merchant,
    also: {
      mchId: text('商户', 'Merchant'),
      day: day('日期', 'Day'),
      closingFen: fen('期末', 'Closing'),
      confirmedBy: text('确认人', 'Confirmed by'),
      confirmedAt: instant('确认时间', 'Confirmed at'),
    },
  },
  {
    table: 'merchant.advertisement',
    entity: Advertisement,
    also: {
      state: among('状态', 'Status', AdStatus),
      authorId: text('提交人编号', 'Submitted by (id)'),
      changerIds: shaped('修改人编号', 'Changed by (ids)', listOf(id<'PersonId'>())),
    },
  },
]
