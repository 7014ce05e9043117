import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { Label, useAct } from '../../../platform/web/form/remove.tsx'
import { excerptOf, RichText } from '../../../platform/web/rich/RichText.tsx'
import { useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { News, news, newsCan, newsSearch, NewsStatus, NewsType } from '../contract/news.ts'

type Row = Of<typeof News>
const CHANGES = [news.page, news.detail, news.published]

/** News of the enterprise for all its people: written, published on their first page, withdrawn. */
export default function NewsScreen() {
  const say = useText()
  const [editing, setEditing] = useState<{ of?: Row }>()
  const act = useAct(CHANGES)
  const publish = usePublish()
  return (
    <>
      <ListScreen
        purpose={['平台新闻：发布后出现在每个人的首页', 'Platform news: once published, it appears on everyone’s home page']}
        query={news.page}
        search={newsSearch}
        find={['title', 'status', 'type', 'createdAt']}
        columns={[
          'title',
          { dataIndex: 'content', width: 260, ellipsis: true, render: (_, { content }) => <span className="soft">{excerptOf(content)}</span> },
          'type',
          'top',
          'status',
          'publishAt',
          'authorName',
          'updatedAt',
        ]}
        hidden={['authorName', 'updatedAt']}
        roomy={['type', 'top']}
        live="message.news"
        toolbar={
          can(news.add.needs) && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing({})}>
              {say(Label.add)}
            </Button>
          )
        }
        actions={(row) => [
          { text: wordOf(row), needs: news.update.needs, run: () => void publish(row) },
          {
            text: Label.edit,
            needs: news.update.needs,
            run: () => setEditing({ of: row }),
            not: newsCan.edit(row.status) === undefined && ['已发布的请先撤回', 'Already published: withdraw it first'],
          },
          {
            text: row.top ? ['取消置顶', 'Unpin'] : ['置顶', 'Pin'],
            needs: news.update.needs,
            run: () => void act(news.update, { id: row.id, version: row.version, top: !row.top }, { done: ['已保存', 'Saved'] }),
          },
        ]}
        detail={{
          call: news.detail,
          head: (row) => (
            <>
              <b>{row.title}</b> <State dictionary={NewsStatus} value={row.status} />
            </>
          ),
          act: (row) =>
            can(news.update.needs) && (
              <Button type={row.status === NewsStatus.published ? 'default' : 'primary'} onClick={() => void publish(row)}>
                {say(wordOf(row))}
              </Button>
            ),
          body: (row) => <NewsStory row={row} />,
        }}
      />
      {editing && <NewsForm {...editing} onClose={() => setEditing(undefined)} />}
    </>
  )
}

/** Publishes what is not published, after a question, and withdraws what is. */
function usePublish() {
  const act = useAct(CHANGES)
  return (row: Row) => {
    const { id, version, status, title } = row
    return newsCan.withdraw(status) === undefined
      ? act(
          news.update,
          { id, version, status: NewsStatus.published },
          {
            question: [`发布「${title}」？所有人员的首页都会看到。`, `Publish “${title}”? Everyone will see it on their home page.`],
            act: ['发布', 'Publish'],
            done: ['已发布', 'Published'],
          },
        )
      : act(news.update, { id, version, status: NewsStatus.withdrawn }, { done: ['已撤回', 'Withdrawn'] })
  }
}
const wordOf = (row: Row) => (newsCan.withdraw(row.status) === undefined ? (['发布', 'Publish'] as const) : (['撤回', 'Withdraw'] as const))

function NewsStory({ row }: { row: Row }) {
  return (
    <>
      <Facts entity={News} of={row} show={['type', 'top', 'publishAt', 'authorName', 'createdAt', 'updatedAt']} />
      <Section title={['内容', 'Text']}>
        <RichText html={row.content} />
      </Section>
    </>
  )
}

function NewsForm({ of, onClose }: { of?: Row; onClose: () => void }) {
  const fields = ['title', { name: 'type', optional: true }, { name: 'top', optional: true }, { name: 'content', optional: true }] as const
  const shared = { entity: News, changes: CHANGES, onClose, done: ['已保存', 'Saved'], fields } as const
  return of ? (
    <FormDialog {...shared} mode="edit" value={of} save={news.update} />
  ) : (
    <FormDialog
      {...shared}
      mode="new"
      value={{ type: NewsType.notice, top: false, content: '' }}
      save={news.add}
      done={['已存为草稿', 'Saved as draft']}
    />
  )
}
