import { Descriptions } from 'antd'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { yes } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { person } from '../../../platform/web/person.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Pictures, State } from '../../../platform/web/value.tsx'
import { PlateProof, verification, type Verification, verificationSearch, VerifyState } from '../contract/car.ts'
import { CAR_CHANGES } from './changes.ts'

type Row = Of<typeof Verification>
type What = 'pass' | 'reject' | 'appeal' | 'contest'
const OPEN = [VerifyState.waiting, VerifyState.appealed].join(',')
const DECIDED: Text = ['该申请已办结', 'Already decided']
const OWN: Text = ['初审人不能复核', 'The first reviewer cannot decide']
const WAITS: Text = ['等待现车主异议，期满自动转移', 'Waiting for the verified owner to object; without one the plate moves over when the time is up']

/** Verification of plates: requests, appeals, and claims on plates that another owner has. */
export default function VerificationScreen() {
  const me = person.use()?.custId
  const [doing, setDoing] = useState<{ what: What; of: Row }>()
  const [asked, ask] = useSearchParams()
  // As a menu opens it: on what waits for somebody.
  useEffect(() => {
    if (asked.size === 0) ask({ verifyState: OPEN }, { replace: true })
  }, [])
  return (
    <>
      <ListScreen
        purpose={[
          '车主认证车牌的申请与申诉；他人已认证的，等待 72 小时',
          'Owners’ plate requests and appeals; a plate verified for another owner waits 72 hours',
        ]}
        query={verification.query}
        search={verificationSearch}
        extra={{ late: yes('超 48 小时', 'Over 48 hours') }}
        find={['plateNo', 'verifyState', 'late', 'phone', 'appliedAt']}
        sum={{
          figures: [
            { text: ['待审', 'to review'], leads: { verifyState: [VerifyState.waiting] } },
            { text: ['申诉', 'appealed'], leads: { verifyState: [VerifyState.appealed] } },
            { text: ['超 48 小时', 'over 48 hours'], leads: { late: true } as never },
          ],
        }}
        columns={[
          'plateNo',
          'vehicleClass',
          'nickname',
          'phone',
          'verifyState',
          'proof',
          'images',
          'appliedAt',
          'rivalName',
          'dueAt',
          'contest',
          'appeal',
          'verdict',
          'verifierName',
          'deciderName',
          'appealImages',
          'decidedAt',
        ]}
        hidden={['appealImages', 'decidedAt', 'deciderName']}
        roomy={['verdict', 'appeal', 'vehicleClass']}
        actions={(row) => actionsOf(row, me, setDoing)}
        empty={['没有车牌认证申请', 'No plate requests']}
      />
      {doing && <Deciding {...doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

/** Returns why the reader cannot decide about it now. */
function barred(row: Row, me: string | undefined): Text | undefined {
  if (row.verifyState === VerifyState.waiting) return undefined
  if (row.verifyState !== VerifyState.appealed) return DECIDED
  if (me === (row.verifierId as string | null)) return OWN
  return row.dueAt && !row.contestedAt ? WAITS : undefined
}
const unproved = ({ proof, images, appealImages }: Row): Text | undefined =>
  proof === null && !images && !appealImages
    ? ['车主未上传行驶证，本手机号也没有该车的月卡', 'No picture of the licence, and no pass of this phone for the plate']
    : undefined
const actionsOf = (row: Row, me: string | undefined, setDoing: (doing: { what: What; of: Row }) => void): RowAction[] => [
  {
    text: ['通过', 'Approve'],
    needs: verification.update.needs,
    run: () => setDoing({ what: 'pass', of: row }),
    not: barred(row, me) ?? unproved(row),
  },
  { text: ['驳回', 'Reject'], needs: verification.update.needs, run: () => setDoing({ what: 'reject', of: row }), not: barred(row, me) },
  {
    text: ['登记申诉', 'Record an appeal'],
    needs: verification.appeal.needs,
    run: () => setDoing({ what: 'appeal', of: row }),
    not: row.verifyState === VerifyState.rejected ? undefined : ['只有被驳回的可申诉', 'Only a rejected request can be appealed'],
  },
  {
    text: ['登记异议', 'Record an objection'],
    needs: verification.contest.needs,
    run: () => setDoing({ what: 'contest', of: row }),
    not: row.dueAt && !row.contestedAt && row.verifyState === VerifyState.appealed ? undefined : ['不在等待异议期内', 'Not open to an objection'],
  },
]

const TITLES: Record<What, Text> = {
  pass: ['通过', 'Approve'],
  reject: ['驳回', 'Reject'],
  appeal: ['登记申诉', 'Record an appeal'],
  contest: ['登记异议', 'Record an objection'],
}
function Deciding({ what, of, onClose }: { what: What; of: Row; onClose: () => void }) {
  const [zh, en] = TITLES[what]
  const shared = {
    title: [`${zh} · ${of.plateNo}`, `${en} · ${of.plateNo}`] as Text,
    mode: 'new',
    act: TITLES[what],
    changes: CAR_CHANGES,
    done: ['已办理', 'Done'] as Text,
    onClose,
  } as const
  const one = { id: of.id, version: of.version }
  if (what === 'appeal')
    return (
      <FormDialog
        {...shared}
        entity={verification.appeal.input}
        value={one}
        save={verification.appeal}
        fields={['reason', { name: 'images', optional: true }]}
      />
    )
  if (what === 'contest')
    return <FormDialog {...shared} entity={verification.contest.input} value={one} save={verification.contest} fields={['reason']} />
  const passes = what === 'pass'
  return (
    <FormDialog
      {...shared}
      entity={verification.update.input}
      value={{ ...one, verifyState: passes ? VerifyState.verified : VerifyState.rejected }}
      save={verification.update}
      about={<Shown of={of} />}
      fields={[passes ? 'verdict' : { name: 'verdict', needed: true }]}
    />
  )
}

/** Shows the evidence that the reviewer decides by. */
function Shown({ of }: { of: Row }) {
  const say = useText()
  return (
    <Descriptions
      column={1}
      items={[
        { key: 'proof', label: say(['认证依据', 'Shown by']), children: <State dictionary={PlateProof} value={of.proof} /> },
        ...(of.images
          ? [{ key: 'images', label: say(['行驶证', 'Vehicle licence']), children: <Pictures addresses={of.images} height={96} /> }]
          : []),
        ...(of.appealImages
          ? [{ key: 'appeal', label: say(['申诉材料', 'Appeal evidence']), children: <Pictures addresses={of.appealImages} height={96} /> }]
          : []),
      ]}
    />
  )
}
