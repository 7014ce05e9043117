import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { plural } from '../../../platform/contract/plural.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Facts } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { Once } from '../../../platform/web/form/Once.tsx'
import { can, person } from '../../../platform/web/person.ts'
import { Label, useAct } from '../../../platform/web/form/remove.tsx'
import { newCode } from '../../../platform/web/sealing.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { CHOOSE, findPark, ParkSelect } from '../../parking/web/api/names.tsx'
import { notice } from '../contract/notice.ts'
import { Periods, periods, USUAL_PERIODS } from '../contract/period.ts'
import { project, Project, projectCan, projectSearch, ProjectType, RentState } from '../contract/project.ts'
import { SealHolder, seals } from '../contract/seal.ts'
import { NOT_NOW, useParkColumn, ProjectStateTag } from './parts.tsx'

type Row = Of<typeof Project>
type Doing = { what: 'new' | 'periods' } | { what: 'edit' | 'terminate' | 'hold'; row: Row }
const CHANGES = [project.query, project.one, notice.query, seals.query]
const FIELDS = [
  'name',
  'type',
  {
    name: 'parkCode',
    label: ['所属车场', 'Car park'],
    control: <ParkSelect empty={CHOOSE} />,
    help: ['租金记入该车场的账', 'Rent is booked to this car park'],
  },
  'assets',
  'baseFen',
  { name: 'stepFen', optional: true, help: ['公开竞价必填', 'Required for open bidding'] },
  { name: 'reserveFen', optional: true, help: ['不公开；最高报价低于它则流标', 'Not disclosed; if no bid reaches it, the project fails'] },
  'earnestFen',
  { name: 'minBidders', optional: true },
  { name: 'extendMin', optional: true, help: ['最后这段时间内的出价使截止顺延', 'A bid in these last minutes extends the closing time'] },
  'leaseMonths',
  'enrollFrom',
  'enrollTo',
  'bidFrom',
  'bidTo',
  { name: 'files', optional: true },
  { name: 'remark', optional: true },
] as const
const usePeriods = () => useQuery(asks(periods.get, {}, { quiet: true })).data ?? USUAL_PERIODS
const fieldsBy = (letting: number) =>
  FIELDS.map((one) =>
    one === 'enrollTo'
      ? {
          name: one,
          help: [
            `招租公告须在此前至少 ${letting} 个工作日发布`,
            `The letting notice must be published at least ${letting} ${plural(letting, 'working day')} before`,
          ],
        }
      : one,
  )
/** A procedure that has begun keeps its periods. */
function SetPeriods({ onClose }: { onClose: () => void }) {
  const { data } = useQuery(asks(periods.get, {}))
  if (!data) return null
  return (
    <FormDialog
      title={['招租流程期限', 'Periods of letting']}
      entity={Periods}
      mode="new"
      value={data}
      save={periods.set}
      changes={[periods.get]}
      about={<SinceNow />}
      done={['已保存', 'Saved']}
      fields={['letting', 'correction', 'shown', 'contract', 'refund', 'payAgain']}
      onClose={onClose}
    />
  )
}
const SinceNow = () =>
  useText()([
    '均以工作日计，从现在起的公告、更正、公示和退款按此计算；已定的日期不变',
    'All in working days, for notices, corrections, awards and refunds from now on; dates already set stay',
  ])
const CORRECTED: readonly number[] = [RentState.announced, RentState.enrolling, RentState.closed]
const mayEdit = ({ state }: Row) => state === RentState.draft || CORRECTED.includes(state)

/** Rental projects: their assets, terms and progress. */
export default function ProjectScreen() {
  const say = useText()
  const park = useParkColumn()
  const base = { dataIndex: 'baseFen' as const, title: say(['起始价', 'Starting price']) }
  const [doing, setDoing] = useState<Doing>()
  const [code, setCode] = useState<string>()
  const act = useAct(CHANGES)
  return (
    <>
      <ListScreen
        purpose={[
          '出租的场地、房屋与车场：条件、时间与进度；公告后只能更正',
          'Land, premises and parks to let: terms, dates and progress; once announced they can only be corrected',
        ]}
        query={project.query}
        search={projectSearch}
        find={['name', 'state', 'type', findPark, 'enrollTo', 'projectNo']}
        sum={{
          figures: [
            { text: ['报名中', 'enrolling'], leads: { state: [RentState.enrolling] } },
            { text: ['竞价中', 'bidding'], leads: { state: [RentState.bidding] } },
            { text: ['待定标', 'to be awarded'], leads: { state: [RentState.toAward] } },
          ],
        }}
        live="rent.project"
        toolbar={can(periods.set.needs) && <Button onClick={() => setDoing({ what: 'periods' })}>{say(['流程期限', 'Periods'])}</Button>}
        add={{ call: project.add, open: () => setDoing({ what: 'new' }) }}
        columns={[
          'name',
          { dataIndex: 'state', render: (_, row) => <ProjectStateTag {...row} /> },
          'type',
          'enrollTo',
          'endsAt',
          park,
          base,
          'currentFen',
          'bids',
          'earnestFen',
          'bidFrom',
          'projectNo',
          'stepFen',
          'leaseMonths',
          'makerName',
          'createdAt',
        ]}
        hidden={['stepFen', 'leaseMonths', 'makerName', 'createdAt', 'projectNo']}
        roomy={['bidFrom', 'earnestFen', 'bids', 'parkCode', 'enrollTo']}
        actions={(row) => actionsOf(row, setDoing, act)}
        detail={{
          call: project.one,
          input: (id) => ({ id: id as never }),
          head: (row) => (
            <>
              <b>{row.name}</b> <ProjectStateTag {...row} />
            </>
          ),
          body: (row) => <Facts entity={Project} of={row} show={FACTS} />,
        }}
        empty={['还没有租赁项目', 'No rental projects yet']}
      />
      {doing?.what === 'new' && <New onClose={() => setDoing(undefined)} />}
      {doing?.what === 'periods' && <SetPeriods onClose={() => setDoing(undefined)} />}
      {doing?.what === 'edit' && <Edit row={doing.row} onClose={() => setDoing(undefined)} />}
      {doing?.what === 'hold' && <Hold row={doing.row} onCode={setCode} onClose={() => setDoing(undefined)} />}
      {code !== undefined && <Once title={['开标密钥', 'Opening key']} says={KEEP} text={code} onClose={() => setCode(undefined)} />}
      {doing?.what === 'terminate' && <Terminate row={doing.row} onClose={() => setDoing(undefined)} />}
    </>
  )
}

const FACTS = [
  'projectNo',
  'type',
  'assets',
  'baseFen',
  'stepFen',
  'reserveFen',
  'earnestFen',
  'minBidders',
  'extendMin',
  'leaseMonths',
  'enrollFrom',
  'enrollTo',
  'bidFrom',
  'bidTo',
  'endsAt',
  'currentFen',
  'bids',
  'openedAt',
  'publicUntil',
  'signBy',
  'files',
  'makerName',
  'remark',
] as const
const actionsOf = (row: Row, setDoing: (doing: Doing) => void, act: ReturnType<typeof useAct>): RowAction[] => [
  {
    text: row.state === RentState.draft ? Label.edit : ['更正', 'Correct'],
    needs: project.update.needs,
    run: () => setDoing({ what: 'edit', row }),
    not: !mayEdit(row) && NOT_NOW,
  },
  {
    text: ['终止', 'Terminate'],
    needs: project.terminate.needs,
    run: () => setDoing({ what: 'terminate', row }),
    not: (projectCan.terminate(row.state) === undefined || row.state >= RentState.signed) && NOT_NOW,
    danger: true,
  },
  ...(row.state === RentState.draft && row.type === ProjectType.sealed
    ? [{ text: ['领取开标密钥', 'Take opening key'] as Text, needs: seals.join.needs, run: () => setDoing({ what: 'hold', row }) }]
    : []),
  ...(row.state === RentState.draft
    ? [
        {
          text: Label.delete,
          needs: project.del.needs,
          run: () =>
            void act(
              project.del,
              { id: row.id, version: row.version },
              { question: [`删除草稿「${row.name}」？`, `Delete draft “${row.name}”?`], act: Label.delete, done: ['已删除', 'Deleted'] },
            ),
          danger: true,
        },
      ]
    : []),
]

function New({ onClose }: { onClose: () => void }) {
  const { letting } = usePeriods()
  return (
    <FormDialog
      title={['新增租赁项目', 'New rental project']}
      entity={project.add.input}
      mode="new"
      value={{ type: ProjectType.open, minBidders: 2, extendMin: 5, leaseMonths: 36 }}
      save={project.add}
      changes={CHANGES}
      fields={fieldsBy(letting) as never}
      onClose={onClose}
    />
  )
}

const Terminate = ({ row, onClose }: { row: Row; onClose: () => void }) => (
  <FormDialog
    title={[`终止 ${row.name}`, `Terminate ${row.name}`]}
    entity={project.terminate.input}
    mode="new"
    value={{ id: row.id, version: row.version }}
    save={project.terminate}
    act={['终止项目', 'Terminate project']}
    done={['已终止，保证金进入退款审核', 'Terminated; earnest money goes to refund review']}
    changes={CHANGES}
    fields={[{ name: 'reason', help: ['将作为终止公告发布', 'Published as the termination notice'] }]}
    onClose={onClose}
  />
)

const KEEP: Text = [
  '只显示这一次，系统不保存：请妥善保管，开标时由两位持有人各自输入',
  'Shown once and kept nowhere: keep it safe. Two holders enter theirs to open the bids',
]
const TOO_OLD: Text = ['浏览器版本过低，不能生成密钥，请升级后再领取', 'This browser is too old to make a key: update it, then take the key']
/** A part of the key is made in this browser. The code that opens it is shown once, and never sent. */
function Hold({ row, onCode, onClose }: { row: Row; onCode: (code: string) => void; onClose: () => void }) {
  const say = useText()
  const me = person.use()?.custId
  const [made, setMade] = useState<{ publicKey: string; code: string } | null>()
  useEffect(() => void newCode().then(setMade, () => setMade(null)), [])
  const { data } = useQuery(asks(seals.query, { projectId: row.id }, { quiet: true }))
  if (!data || made === undefined) return null
  const taken = data.records.map(({ holder, personName }) => `${say(SealHolder.entries[holder])} ${personName}`)
  const free = [SealHolder.approver, SealHolder.notary].find((one) => data.records.every(({ holder }) => holder !== one))
  const own = data.records.find(({ personId }) => personId === (me as string))?.holder
  const holder = row.makerId === (me as string) ? SealHolder.handler : (own ?? free ?? SealHolder.approver)
  return (
    <FormDialog
      title={[`领取开标密钥 · ${row.name}`, `Take opening key · ${row.name}`]}
      entity={seals.join.input}
      mode="new"
      value={{ projectId: row.id, holder, publicKey: made?.publicKey ?? '' }}
      save={seals.join}
      changes={CHANGES}
      waits={made === null}
      act={['领取', 'Take key']}
      done={['已领取', 'Taken']}
      about={say(
        made === null
          ? TOO_OLD
          : taken.length > 0
            ? [`已领取：${taken.join('、')}`, `Taken: ${taken.join(', ')}`]
            : ['三人各领一份，两份即可开标', 'Three people take one each; two of them open the bids'],
      )}
      fields={[
        {
          name: 'holder',
          help: [
            '经办的一份由项目经办人领取；重新领取后，该份原来的密钥作废，另外两份不变',
            'The handler’s key is for whoever handles the project. If one is taken again, its earlier key no longer works; the other two stay as they are',
          ],
        },
      ]}
      onSaved={() => made && onCode(made.code)}
      onClose={onClose}
    />
  )
}

function Edit({ row, onClose }: { row: Row; onClose: () => void }) {
  const { letting, correction: least } = usePeriods()
  const draft = row.state === RentState.draft
  const { reserveFen, remark, ...kept } = row
  const value = { ...kept, ...(reserveFen !== null && { reserveFen }), ...(remark !== null && { remark }) }
  const correction = {
    name: 'correction',
    needed: true,
    help: [
      `作为更正公告的正文，由另一人发布后生效；改价格或时间时，报名截止须在发布 ${least} 个工作日之后`,
      `The text of the correction notice; takes effect once another person publishes it. After a price or time change, enrolment must stay open at least ${least} ${plural(least, 'working day')} more`,
    ],
  }
  return (
    <FormDialog
      title={draft ? [`编辑 ${row.name}`, `Edit ${row.name}`] : [`更正 ${row.name}`, `Correct ${row.name}`]}
      entity={project.update.input}
      mode="edit"
      value={value}
      save={project.update}
      changes={CHANGES}
      {...(!draft && {
        act: ['提交更正', 'Submit correction'],
        done: [
          '已提交，由另一人在「招租公告」中发布后生效',
          'Submitted; it takes effect once another person publishes it under “Rental announcements”',
        ],
      })}
      fields={
        [
          ...(draft ? [] : [correction]),
          ...fieldsBy(letting).filter((one) => draft || (one !== 'type' && (one as { name?: string }).name !== 'parkCode')),
        ] as never
      }
      onClose={onClose}
    />
  )
}
