import { useQuery } from '@tanstack/react-query'
import { CompassOutlined } from '@ant-design/icons'
import { Button, Drawer, Space } from 'antd'
import { useState } from 'react'
import { TreePane } from '../../../../platform/web/tree/Beside.tsx'
import { asks } from '../../../../platform/web/ask.ts'
import { Nothing, Waiting } from '../../../../platform/web/page/states.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { toursNow, tourShown, useToursLeft } from '../../../../platform/web/tour/tour.ts'
import { configuration } from '../../contract/configuration.ts'
import { helpPage } from '../../contract/helpPage.ts'
import { updateInfo } from '../../contract/updateNote.ts'
import { Article, itemsOf, type Node } from './Article.tsx'
import { Note } from './ReleaseNotes.tsx'
import '../system.css'

const NOTES = '(notes)'

/** The help, beside whatever is being done: it opens at the page that explains the screen in front. */
export default function HelpDrawer({ path, onClose }: { path: string; onClose: () => void }) {
  const say = useText()
  const { data: nodes } = useQuery(asks(helpPage.tree, {}, { quiet: true }))
  const { data: settings } = useQuery(asks(configuration.console, {}, { quiet: true }))
  const [picked, setPicked] = useState<string>()
  const shown = picked ?? (nodes && explaining(nodes, path))?.id
  const items = [...(nodes ? itemsOf(nodes, say) : []), { key: NOTES, words: 'release notes 更新说明', title: say(['更新说明', 'Release notes']) }]
  return (
    <Drawer open mask={false} size="60%" rootClassName="detail" title={say(['帮助', 'Help'])} onClose={onClose}>
      {!nodes ? (
        <Waiting />
      ) : (
        <div className="beside help">
          <TreePane
            items={items}
            chosen={shown}
            onChoose={setPicked}
            open={nodes.filter(({ parentId }) => !parentId).map(({ id }) => id)}
            hint={say(['查找标题', 'Find title'])}
          />
          <div className="beside-main help-text">
            <Tours onStart={onClose} />
            {shown === NOTES ? <Notes /> : shown ? <Page id={shown} /> : <Nothing>{say(['管理员还没有写帮助。', 'No help pages yet.'])}</Nothing>}
            {settings?.supportContact && (
              <footer className="soft">{say([`技术支持：${settings.supportContact}`, `Support: ${settings.supportContact}`])}</footer>
            )}
          </div>
        </div>
      )}
    </Drawer>
  )
}

/** Offers the tours of the page behind; a tour that was taken or left is offered more quietly. */
function Tours({ onStart }: { onStart: () => void }) {
  const say = useText()
  const [tours] = useState(toursNow)
  const left = useToursLeft()
  return (
    <Space wrap size="small" className="help-tours">
      {tours.map((tour) => (
        <Button
          key={tour.key}
          size="small"
          type={left.includes(tour.key) ? 'text' : 'default'}
          icon={<CompassOutlined />}
          onClick={() => {
            onStart()
            tourShown.set(tour)
          }}
        >
          {say([`导览：${tour.name[0]}`, `Tour: ${tour.name[1]}`])}
        </Button>
      ))}
    </Space>
  )
}

/** The page for this screen, or for the one that it lies under; else the first with words. */
function explaining(nodes: readonly Node[], path: string): Node | undefined {
  const fits = nodes.filter(({ screen }) => screen && (path === screen || path.startsWith(`${screen}/`)))
  return fits.sort((a, b) => b.screen!.length - a.screen!.length)[0] ?? nodes.find(({ hasText }) => hasText) ?? nodes[0]
}

function Page({ id }: { id: string }) {
  const say = useText()
  const { data, error } = useQuery(asks(helpPage.read, { id: id as never }, { quiet: true }))
  if (error) return <Nothing>{say(['这一页已被删除。', 'This page has been deleted.'])}</Nothing>
  if (!data) return <Waiting lines={6} />
  return (
    <>
      <h2>{say([data.title, data.titleEn])}</h2>
      <Article of={data} />
    </>
  )
}

function Notes() {
  const say = useText()
  const { data } = useQuery(asks(updateInfo.published, {}, { quiet: true }))
  if (!data) return <Waiting lines={6} />
  if (data.length === 0) return <Nothing>{say(['还没有更新说明。', 'No release notes yet.'])}</Nothing>
  return data.map((one) => <Note key={one.id} of={one} />)
}
