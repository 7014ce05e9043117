import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { Facts, Section } from '../../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../../platform/web/person.ts'
import { deleting, Label, useAct, useRemove } from '../../../../platform/web/form/remove.tsx'
import { RichText } from '../../../../platform/web/rich/RichText.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { State } from '../../../../platform/web/value.tsx'
import { NOTE_TOPIC } from '../../contract/topics.ts'
import { noteCan, NoteState, UpdateNote, updateInfo, type UpdateNoteNow, updateNoteSearch } from '../../contract/updateNote.ts'
import '../system.css'

type Row = Of<typeof UpdateNoteNow>
const CHANGES = [updateInfo.selectPage, updateInfo.detail]

/** The console's changes, release by release; each person sees a published note once after signing in. */
export default function UpdateNoteScreen() {
  const say = useText()
  const [edited, setEdited] = useState<Row | 'new'>()
  const remove = useRemove(CHANGES)
  const move = useMove()
  return (
    <>
      <ListScreen
        purpose={[
          '每个版本改了什么；发布后每人登录时看到一次，也留在帮助里',
          'What changed in each release; once published, every user sees it once at sign-in, and it stays in the help',
        ]}
        query={updateInfo.selectPage}
        search={updateNoteSearch}
        find={['title', 'state', 'publishAt', 'release']}
        columns={[
          'release',
          { dataIndex: 'title', width: 280, ellipsis: true, render: (_, row) => <b>{say([row.title, row.titleEn])}</b> },
          'state',
          'publishAt',
          'seen',
          'authorName',
          'updatedAt',
        ]}
        roomy={['seen', 'updatedAt']}
        live={NOTE_TOPIC}
        toolbar={
          can(updateInfo.add.needs) && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setEdited('new')}>
              {say(Label.add)}
            </Button>
          )
        }
        actions={(row) => [
          { text: moveText(row), needs: updateInfo.move.needs, run: () => move(row) },
          { text: Label.edit, needs: updateInfo.update.needs, run: () => setEdited(row) },
          deleting(remove, updateInfo.delete, { id: row.id, version: row.version }, `${row.release} ${row.title}`, {
            kind: 'system.update_note',
            key: row.id,
          }),
        ]}
        detail={{
          call: updateInfo.detail,
          head: (row) => (
            <>
              <b>{say([row.title, row.titleEn])}</b> <code>{row.release}</code> <State dictionary={NoteState} value={row.state} />
            </>
          ),
          act: (row) => can(updateInfo.move.needs) && <Button onClick={() => move(row)}>{say(moveText(row))}</Button>,
          body: (row) => <NoteStory of={row} />,
        }}
      />
      {edited && <NoteForm {...(edited !== 'new' && { of: edited })} onClose={() => setEdited(undefined)} />}
    </>
  )
}

const moveText = (row: Row) => (noteCan.publish(row.state) === undefined ? (['撤回', 'Withdraw'] as const) : (['发布', 'Publish'] as const))
/** A note that may be published is, after a question; one that is published is withdrawn. */
function useMove() {
  const act = useAct(CHANGES)
  return (row: Row) => {
    const publish = noteCan.publish(row.state)
    const { id, version } = row
    if (publish !== undefined)
      return void act(
        updateInfo.move,
        { id, version, state: publish },
        {
          question: [`发布「${row.title}」？每位用户下次登录会看到一次。`, `Publish “${row.titleEn}”? Every user sees it once at the next sign-in.`],
          act: ['发布', 'Publish'],
          done: ['已发布', 'Published'],
        },
      )
    void act(
      updateInfo.move,
      { id, version, state: NoteState.withdrawn },
      { question: [`撤回「${row.title}」？`, `Withdraw “${row.titleEn}”?`], act: ['撤回', 'Withdraw'], done: ['已撤回', 'Withdrawn'] },
    )
  }
}

function NoteStory({ of }: { of: Row }) {
  return (
    <>
      <Facts
        entity={UpdateNote}
        of={of}
        show={['publishAt', 'authorName', { label: ['本企业已读', 'Read in your enterprise'], value: of.seen }, 'updatedAt']}
      />
      <Section title={['中文', 'Chinese']}>
        <RichText html={of.content} />
      </Section>
      <Section title={['英文', 'English']}>
        <RichText html={of.contentEn} />
      </Section>
    </>
  )
}

function NoteForm({ of, onClose }: { of?: Row; onClose: () => void }) {
  const fields = [
    'release',
    'title',
    'titleEn',
    'content',
    { name: 'contentEn', optional: true },
    {
      name: 'publishAt',
      optional: true,
      help: ['不填为发布那一刻；将来的时间到时才显示', 'If empty, the time of publishing; with a future time it appears only then'],
    },
  ] as const
  const common = { entity: UpdateNote, changes: CHANGES, onClose, fields, done: ['已保存为草稿', 'Saved as a draft'] } as const
  if (of) return <FormDialog {...common} mode="edit" value={of} save={updateInfo.update} done={['已保存', 'Saved']} />
  return <FormDialog {...common} mode="new" value={{}} save={updateInfo.add} done={['已保存为草稿', 'Saved as a draft']} />
}
