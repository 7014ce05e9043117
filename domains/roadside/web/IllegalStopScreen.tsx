import { Button } from 'antd'
import { useState } from 'react'
import { lasting } from '../../../platform/contract/duration.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { ask, newKey } from '../../../platform/web/ask.ts'
import { NONE } from '../../../platform/web/format.ts'
import { Facts, Section, Timeline } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { useKeys } from '../../../platform/web/page/keys.tsx'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { type Column, ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { tickedSome } from '../../../platform/web/list/selection.ts'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { Pictures, Plate, State } from '../../../platform/web/value.tsx'
import { CHOOSE } from '../../parking/web/api/names.tsx'
import { IllegalSource, IllegalState, IllegalStop, illegalCan, illegalSearch, illegalStop, IllegalType } from '../contract/illegalStop.ts'
import { ILLEGAL_CHANGES } from './changes.ts'
import { Shots } from './Shots.tsx'
import { spanOf } from './illegalSpan.ts'
import { DistrictName, DistrictSelect, SectionSelect } from './api/names.tsx'

type Row = Of<typeof IllegalStop>
type Doing = { what: 'new' } | { what: 'accept' | 'reject' | 'recheck' | 'receipt'; of: Row }
type Ask = (what: Exclude<Doing['what'], 'new'>, of: Row) => () => void

/** Cars where they may not stop: caught by cameras and people, reviewed, and sent to the police. */
export default function IllegalStopScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  const act: Ask = (what, of) => () => setDoing({ what, of })
  return (
    <>
      <ListScreen
        purpose={[
          '球机、高位、巡检车和人工发现的违停：审核后推送交警',
          'Illegal stops by cameras, patrol cars and people: reviewed, then sent to the police',
        ]}
        query={illegalStop.query}
        search={illegalSearch}
        exports={illegalStop.export}
        find={[
          { name: 'parkCode', label: ['片区', 'District'], control: <DistrictSelect /> },
          'state',
          'plateNo',
          'type',
          'source',
          'firstAt',
          { name: 'sectionCode', label: ['路段', 'Section'], control: <SectionSelect /> },
          'deviceNo',
          'illegalNo',
        ]}
        columns={columnsOf(say)}
        hidden={HIDDEN}
        roomy={['type']}
        live="roadside.illegal"
        sum={{
          figures: [
            { text: ['待审', 'pending review'], leads: { state: [IllegalState.waiting] } },
            { text: ['待推送', 'to send'], leads: { state: [IllegalState.valid] } },
          ],
        }}
        add={{ call: illegalStop.create, open: () => setDoing({ what: 'new' }), text: ['登记违停', 'Record illegal stop'] }}
        ticks={can(illegalStop.push.needs)}
        toolbar={({ ticked, untick, refresh }) =>
          can(illegalStop.push.needs) && (
            <Button onClick={() => tickedSome(ticked) && void pushAll(ticked).then(() => (untick(), refresh()))}>
              {say(['推送交警', 'Send to police'])}
            </Button>
          )
        }
        actions={(row) => actionsOf(row, act)}
        detail={{
          call: illegalStop.one,
          head: (row) => (
            <>
              {row.plateNo ? <Plate number={row.plateNo} color={row.plateColor} /> : say(['未识别车牌', 'Plate not read'])}{' '}
              <State dictionary={IllegalState} value={row.state} />
            </>
          ),
          act: (row) =>
            can(illegalStop.review.needs) &&
            illegalCan.accept(row.state) !== undefined && <Review of={row} accept={act('accept', row)} reject={act('reject', row)} />,
          body: (row) => <Story row={row} />,
        }}
      />
      {doing?.what === 'new' && <Create onClose={close} />}
      {doing && doing.what !== 'new' && <Decide {...doing} onClose={close} />}
    </>
  )
}

const columnsOf = (say: Say): Column<Row>[] => [
  'plateNo',
  'state',
  {
    key: 'pictures',
    title: say(['图片', 'Pictures']),
    render: (_, row) => <Pictures addresses={row.images.map(({ image }) => image).join(',')} most={2} />,
  },
  'type',
  'place',
  'firstAt',
  { key: 'span', title: say(['取证间隔', 'Evidence span']), render: (_, row) => <Span of={row} /> },
  'count',
  'source',
  { dataIndex: 'parkCode', title: say(['片区', 'District']), render: (_, row) => <DistrictName code={row.parkCode} /> },
  'illegalNo',
  'lastAt',
  'reviewedBy',
  'invalidReason',
  'policeNo',
  'pushError',
  'result',
  'deviceNo',
  'confidence',
]
const HIDDEN = [
  'count',
  'source',
  'illegalNo',
  'lastAt',
  'reviewedBy',
  'invalidReason',
  'policeNo',
  'pushError',
  'result',
  'deviceNo',
  'confidence',
  'parkCode',
] as const

const DECIDED = ['已审核', 'Already reviewed'] as const
const TOO_LITTLE = [
  '可见车牌和位置的图片间隔不足停留时限，只能判为无效或等再次抓拍',
  'The pictures with plate and place are not as far apart as the time limit: mark it invalid, or wait for another sighting',
] as const
const actionsOf = (row: Row, act: Ask): RowAction[] => [
  {
    text: ['有效', 'Mark as valid'],
    needs: illegalStop.review.needs,
    run: act('accept', row),
    not: illegalCan.accept(row.state) === undefined ? DECIDED : !spanOf(row).enough && TOO_LITTLE,
  },
  {
    text: ['无效', 'Mark as invalid'],
    needs: illegalStop.review.needs,
    run: act('reject', row),
    not: illegalCan.reject(row.state) === undefined && DECIDED,
  },
  {
    text: ['复核', 'Review again'],
    needs: illegalStop.recheck.needs,
    run: act('recheck', row),
    not: illegalCan.recheck(row.state) === undefined && (['只有判为无效的可以复核', 'Only an invalid one can be reviewed again'] as const),
  },
  {
    text: ['交警回执', 'Police response'],
    needs: illegalStop.receipt.needs,
    run: act('receipt', row),
    not: illegalCan.handle(row.state) === undefined && (['还没有推送', 'Not sent yet'] as const),
  },
]

/** Judged where it is looked at, by hand or by key; j goes on to the next. */
function Review({ of, accept, reject }: { of: Row; accept: () => void; reject: () => void }) {
  const say = useText()
  const { enough } = spanOf(of)
  useKeys({
    ...(enough && { 1: { text: ['判为有效', 'Mark as valid'], run: accept } }),
    2: { text: ['判为无效', 'Mark as invalid'], run: reject },
  })
  return (
    <>
      <Button type="primary" disabled={!enough} {...(!enough && { title: say(TOO_LITTLE) })} onClick={accept}>
        {say(['有效 (1)', 'Valid (1)'])}
      </Button>
      <Button onClick={reject}>{say(['无效 (2)', 'Invalid (2)'])}</Button>
    </>
  )
}

async function pushAll(rows: readonly Row[]) {
  await ask(illegalStop.push, { ids: rows.map(({ id }) => id) }, { key: newKey() }).then(
    () =>
      toast('success', [
        '已提交推送，结果见状态；未成功的点开看推送错误',
        'Submitted for sending: see State for the result, and open one that failed for its error',
      ]),
    () => {}, // the refusal was shown
  )
}

/** How far apart the pictures lie that show plate and place, against how far they must: told before it is judged. */
function Span({ of }: { of: Row }) {
  const say = useText()
  const { min, enough } = spanOf(of)
  const [zhNeeded, enNeeded] = lasting(of.holdMin)
  const told = min === null ? say(['不足两张', 'Fewer than two']) : say(lasting(min))
  return <span className={`state ${enough ? 'success' : 'warning'}`}>{say([`${told} / 须 ${zhNeeded}`, `${told} / ${enNeeded} needed`])}</span>
}

function Story({ row }: { row: Row }) {
  const say = useText()
  return (
    <>
      <Facts
        entity={IllegalStop}
        of={row}
        show={[
          'illegalNo',
          'type',
          'source',
          'place',
          { label: ['取证间隔', 'Evidence span'], value: <Span of={row} /> },
          { label: ['片区', 'District'], value: <DistrictName code={row.parkCode} /> },
          'firstAt',
          'lastAt',
          'count',
          'holdMin',
          'deviceNo',
          { label: ['识别置信度', 'Confidence'], value: row.confidence === null ? NONE : `${row.confidence / 10}%` },
          'invalidReason',
          'reviewedBy',
          'reviewedAt',
          'policeNo',
          'pushError',
          'result',
          'remark',
        ]}
      />
      <Section title={['图片', 'Pictures']}>
        <Timeline
          events={row.images.map(({ image, at, showsPlate, showsPlace }, n) => ({
            key: String(n),
            at,
            title: <Pictures addresses={image} height={120} />,
            body: [showsPlate && say(['可见车牌', 'plate visible']), showsPlace && say(['可见位置', 'location visible'])].filter(Boolean).join(' · '),
          }))}
        />
      </Section>
    </>
  )
}

const PICTURES_HELP: Text = [
  '判为有效须有两张间隔达到停留时限、可见车牌和位置的图片；同车同地点两小时内再次登记，图片并入同一条记录',
  'To be valid it needs two pictures, as far apart as the time limit, that show the plate and the location. Recorded again within two hours, the same car at the same location is one record with all its pictures.',
]
/** One picture is enough to record it; it takes two to hold. */
function Create({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog
      title={['登记违停', 'Record illegal stop']}
      entity={illegalStop.create.input}
      mode="new"
      value={{ type: IllegalType.noStopping, source: IllegalSource.person, images: [] }}
      save={illegalStop.create}
      done={['已登记，等待他人审核', 'Recorded; another person reviews it']}
      changes={ILLEGAL_CHANGES}
      fields={[
        { name: 'parkCode', label: ['片区', 'District'], control: <DistrictSelect empty={CHOOSE} /> },
        'plateNo',
        { name: 'plateColor', optional: true },
        'type',
        'source',
        'place',
        'at',
        { name: 'images', control: <Shots />, help: PICTURES_HELP, optional: true },
        { name: 'remark', optional: true },
      ]}
      onClose={onClose}
    />
  )
}

const WORDS: Record<'accept' | 'reject' | 'recheck', { title: Text; done: Text }> = {
  accept: { title: ['判为有效', 'Mark as valid'], done: ['已判为有效，可推送交警', 'Marked as valid; it can be sent to police'] },
  reject: { title: ['判为无效', 'Mark as invalid'], done: ['已判为无效', 'Marked as invalid'] },
  recheck: { title: ['复核', 'Review again'], done: ['已退回待审', 'Sent back to review'] },
}
function Decide({ what, of, onClose }: { what: 'accept' | 'reject' | 'recheck' | 'receipt'; of: Row; onClose: () => void }) {
  const key = { id: of.id, version: of.version }
  const name = [of.plateNo, of.place].filter(Boolean).join(' ')
  const about = (
    <>
      <Pictures addresses={of.images.map(({ image }) => image).join(',')} height={120} />
      {what === 'accept' && <Span of={of} />}
    </>
  )
  const shared = { changes: ILLEGAL_CHANGES, mode: 'edit' as const, about, onClose }
  if (what === 'receipt')
    return (
      <FormDialog
        {...shared}
        title={[`交警回执 · ${name}`, `Police response · ${name}`]}
        entity={illegalStop.receipt.input}
        value={key}
        save={illegalStop.receipt}
        done={['已登记回执', 'Response recorded']}
        fields={[
          { name: 'result', optional: true },
          { name: 'reason', optional: true, help: ['交警退回时填写，记录回到有效', 'If the police returned it; the record becomes valid again'] },
        ]}
      />
    )
  const { title, done } = WORDS[what]
  const named = { title: [`${title[0]} · ${name}`, `${title[1]} · ${name}`] as Text, act: title, done }
  if (what === 'recheck')
    return <FormDialog {...shared} {...named} entity={illegalStop.recheck.input} value={key} save={illegalStop.recheck} fields={['reason']} />
  const state = what === 'accept' ? IllegalState.valid : IllegalState.invalid
  return (
    <FormDialog
      {...shared}
      {...named}
      entity={illegalStop.review.input}
      value={{ ...key, state }}
      save={illegalStop.review}
      fields={what === 'reject' ? [{ name: 'invalidReason', needed: true }] : []}
    />
  )
}
