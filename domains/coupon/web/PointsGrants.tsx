import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { count } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { can, person } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { grantSearch, GrantState, pointsGrant, type PointsGrantLine } from '../contract/pointsGrant.ts'
import { POINTS_CHANGES } from './changes.ts'

type Row = Of<typeof PointsGrantLine>
type Doing = { what: 'approve' | 'reject'; of: Row } | { what: 'limit'; of: number }

/** How many points one person may grant an account within thirty days; nothing while it is on its way. */
export const useAloneLimit = (): number | undefined => useQuery(asks(pointsGrant.limit, {}, { quiet: true })).data?.alone

/** Grants above what one person may give: an approver decides here, and stays here. */
export function PointsGrants({ toolbar }: { toolbar: ReactNode }) {
  const say = useText()
  const [doing, setDoing] = useState<Doing>()
  const limit = useAloneLimit()
  const actionsOf = useActions(setDoing)
  return (
    <>
      <ListScreen
        purpose={
          limit === undefined
            ? ['超过单人发放上限的积分：一人申请，另一人审核', 'Points above the limit for one person: requested by one, approved by another']
            : [
                `同一账户 30 天内合计超过 ${count(limit)} 积分的发放：一人申请，另一人审核`,
                `Grants beyond ${count(limit)} points to one account within 30 days: requested by one, approved by another`,
              ]
        }
        query={pointsGrant.query}
        search={grantSearch}
        toolbar={
          <>
            {toolbar}
            {can(pointsGrant.setLimit.needs) && limit !== undefined && (
              <Button onClick={() => setDoing({ what: 'limit', of: limit })}>{say(['单人发放上限', 'Limit for one person'])}</Button>
            )}
          </>
        }
        find={['state', 'name', 'phone', 'appliedAt']}
        sum={{ totals: ['points'], figures: [{ text: ['待审核', 'to approve'], leads: { state: [GrantState.waiting] } }] }}
        columns={['name', 'phone', 'state', 'points', 'reason', 'applicantName', 'appliedAt', 'approverName', 'verdict', 'decidedAt']}
        hidden={['decidedAt']}
        roomy={['phone', 'verdict']}
        actions={actionsOf}
        empty={['没有需要审核的发放', 'No grants to approve']}
      />
      {doing && <Dialog doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

const OWN: Text = ['申请人不能审核自己的申请', 'You requested it yourself']
function useActions(decide: (doing: Doing) => void): (row: Row) => RowAction[] {
  const act = useAct(CHANGES)
  const me = person.use()?.custId as string | undefined
  return (row) => {
    if (row.state !== GrantState.waiting) return []
    const mine = me !== undefined && row.applicantId === me
    const withdraw: RowAction = {
      text: ['撤回', 'Withdraw'],
      needs: pointsGrant.withdraw.needs,
      run: () =>
        void act(
          pointsGrant.withdraw,
          { id: row.id, version: row.version },
          {
            question: [
              `撤回给 ${row.name} 发放 ${count(row.points)} 积分的申请？`,
              `Withdraw the request to grant ${row.name} ${count(row.points)} points?`,
            ],
            act: ['撤回', 'Withdraw'],
            done: ['已撤回', 'Withdrawn'],
          },
        ),
    }
    const not = mine && OWN
    return [
      ...(mine ? [withdraw] : []),
      { text: ['通过', 'Approve'], needs: pointsGrant.approve.needs, not, run: () => decide({ what: 'approve', of: row }) },
      { text: ['驳回', 'Reject'], needs: pointsGrant.reject.needs, not, run: () => decide({ what: 'reject', of: row }) },
    ]
  }
}

const CHANGES = [...POINTS_CHANGES, pointsGrant.query]
function Dialog({ doing, onClose }: { doing: Doing; onClose: () => void }) {
  const shared = { mode: 'new', changes: CHANGES, onClose } as const
  if (doing.what === 'limit')
    return (
      <FormDialog
        {...shared}
        title={['单人发放上限', 'Limit for one person']}
        entity={pointsGrant.setLimit.input}
        value={{ alone: doing.of }}
        save={pointsGrant.setLimit}
        changes={[pointsGrant.limit]}
        done={['已保存', 'Saved']}
        fields={[
          {
            name: 'alone',
            help: [
              '同一账户 30 天内手工发放合计超过此数，需另一人审核；1 积分 = 1 分钱',
              'Beyond this, by hand to one account within 30 days, another person approves; a point is worth a fen',
            ],
          },
        ]}
      />
    )
  const { what, of } = doing
  const which = { id: of.id, version: of.version }
  const about: Text = [`${count(of.points)} 积分 · ${of.name}`, `${count(of.points)} points · ${of.name}`]
  if (what === 'approve')
    return (
      <FormDialog
        {...shared}
        title={[`审核发放：${about[0]}`, `Approve a grant: ${about[1]}`]}
        entity={pointsGrant.approve.input}
        value={which}
        save={pointsGrant.approve}
        act={[`通过并发放 ${count(of.points)} 积分`, `Approve and grant ${count(of.points)} points`]}
        done={['已发放', 'Granted']}
        fields={[{ name: 'verdict', optional: true }]}
      />
    )
  return (
    <FormDialog
      {...shared}
      title={[`驳回发放：${about[0]}`, `Reject a grant: ${about[1]}`]}
      entity={pointsGrant.reject.input}
      value={which}
      save={pointsGrant.reject}
      act={['驳回', 'Reject']}
      done={['已驳回', 'Rejected']}
      fields={['verdict']}
    />
  )
}
