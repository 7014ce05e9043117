import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { type Column, ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { person } from '../../../platform/web/person.ts'
import { deleting, Label, useAct, useRemove } from '../../../platform/web/form/remove.tsx'
import { type Text } from '../../../platform/web/text.ts'
import { AdAct, adCan, Advertisement, advertisement, advertisementSearch, AdStatus } from '../contract/advertisement.ts'
import { AD_CHANGES } from './api/changes.ts'

type Row = Of<typeof Advertisement>
type Doing = { what: 'new'; of?: undefined } | { what: 'edit' | 'pass' | 'reject'; of: Row }
const NOT_NOW: Text = ['当前状态不能操作', 'Not possible in its current state']
const OWN: Text = ['不能审核自己提交的广告', 'You cannot review an advertisement you submitted']

/** Advertisements for drivers: prepared, approved by another person, on within their time. */
export default function AdvertisementScreen() {
  const remove = useRemove(AD_CHANGES)
  const act = useAct(AD_CHANGES)
  const me = person.use()?.name
  const [doing, setDoing] = useState<Doing>()
  const acts = (row: Row, code: Of<typeof advertisement.update.input>['act'] & number, done: Text) =>
    void act(advertisement.update, { id: row.id, version: row.version, act: code }, { done })
  const waits = (row: Row): Text | undefined => (adCan.pass(row.status) === undefined ? NOT_NOW : row.authorName === me ? OWN : undefined)
  return (
    <>
      <ListScreen
        purpose={[
          '展示给车主的广告：提交后由另一人审核，只在投放期内展示',
          'Advertisements for drivers: reviewed by another person, shown only within their dates',
        ]}
        query={advertisement.find}
        search={advertisementSearch}
        find={['name', 'slot', 'status', 'startAt']}
        sum={{
          figures: [
            { text: ['待审', 'to review'], leads: { status: [AdStatus.review] } },
            { text: ['投放中', 'running'], leads: { status: [AdStatus.on] } },
          ],
        }}
        columns={COLUMNS}
        hidden={['link', 'regions', 'createdAt', 'verdict']}
        roomy={['weight', 'auditorName', 'clicks']}
        add={{ call: advertisement.add, open: () => setDoing({ what: 'new' }) }}
        actions={(row) => [
          row.status === AdStatus.review
            ? { text: ['通过', 'Approve'], needs: advertisement.audit.needs, run: () => setDoing({ what: 'pass', of: row }), not: waits(row) }
            : {
                text: ['提交', 'Submit'],
                needs: advertisement.update.needs,
                run: () => acts(row, AdAct.submit, ['已提交审核', 'Submitted']),
                not: adCan.submit(row.status) === undefined && NOT_NOW,
              },
          { text: ['驳回', 'Reject'], needs: advertisement.audit.needs, run: () => setDoing({ what: 'reject', of: row }), not: waits(row) },
          { text: Label.edit, needs: advertisement.update.needs, run: () => setDoing({ what: 'edit', of: row }) },
          {
            text: ['下线', 'Take offline'],
            needs: advertisement.update.needs,
            run: () => acts(row, AdAct.takeOff, ['已下线', 'Taken offline']),
            not: adCan.takeOff(row.status) === undefined && NOT_NOW,
          },
          {
            ...deleting(remove, advertisement.del, { id: row.id }, row.name),
            not: adCan.delete(row.status) === undefined && ['先下线再删除', 'Take it offline first'],
          },
        ]}
        empty={['还没有广告', 'No advertisements yet']}
      />
      {doing && <Dialog doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

const COLUMNS: Column<Row>[] = [
  'media',
  'name',
  'slot',
  'status',
  'startAt',
  'endAt',
  'weight',
  'shows',
  'clicks',
  'authorName',
  'auditorName',
  'verdict',
  'link',
  'regions',
  'createdAt',
]

const FIELDS = [
  'name',
  'slot',
  'media',
  { name: 'link', optional: true, help: ['点击后打开的网址，以 http 开头', 'Opened on click; starts with http'] },
  'startAt',
  'endAt',
  { name: 'weight', optional: true, help: ['同一广告位按权重轮播', 'Advertisements in one place rotate by weight'] },
  { name: 'regions', optional: true, help: ['不选为全部区域', 'Leave empty for everywhere'] },
] as const
function Dialog({ doing: { what, of }, onClose }: { doing: Doing; onClose: () => void }) {
  const shared = { changes: AD_CHANGES, onClose }
  if (what === 'new')
    return (
      <FormDialog
        {...shared}
        entity={Advertisement}
        mode="new"
        value={{ weight: 10, regions: [] }}
        save={advertisement.add}
        done={['已保存为草稿', 'Saved as a draft']}
        fields={FIELDS}
      />
    )
  if (what === 'edit')
    return (
      <FormDialog
        {...shared}
        entity={Advertisement}
        mode="edit"
        value={of}
        save={advertisement.update}
        done={['已保存；换素材或链接须重新审核', 'Saved; a new picture or link needs another review']}
        fields={FIELDS}
      />
    )
  const pass = what === 'pass'
  return (
    <FormDialog
      {...shared}
      title={pass ? [`通过 · ${of.name}`, `Approve · ${of.name}`] : [`驳回 · ${of.name}`, `Reject · ${of.name}`]}
      entity={advertisement.audit.input}
      mode="new"
      value={{ id: of.id, version: of.version, act: pass ? AdAct.pass : AdAct.reject }}
      save={advertisement.audit}
      act={pass ? ['通过并投放', 'Approve and run'] : ['驳回', 'Reject']}
      done={['已审核', 'Reviewed']}
      fields={[pass ? { name: 'verdict', optional: true } : 'verdict']}
    />
  )
}
