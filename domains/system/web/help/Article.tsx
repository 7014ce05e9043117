import { useMemo } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { TreePane } from '../../../../platform/web/tree/Beside.tsx'
import type { TreeNode } from '../../../../platform/web/tree/FilterTree.tsx'
import { Attachments } from '../../../../platform/web/file/Attachments.tsx'
import { RichText } from '../../../../platform/web/rich/RichText.tsx'
import { language, type Say, useText } from '../../../../platform/web/text.ts'
import { Time } from '../../../../platform/web/value.tsx'
import { type HelpNode, type HelpRead, HelpState } from '../../contract/helpPage.ts'
import '../system.css'

export type Node = Of<typeof HelpNode>

/** A page of the help as it is read: its words in the reader's language, or else in the one there is. */
export function Article({ of }: { of: Of<typeof HelpRead> }) {
  const say = useText()
  const words = language.use() === 'en' ? of.contentEn || of.content : of.content || of.contentEn
  return (
    <article className="article">
      {words ? <RichText html={words} /> : <p className="faint">{say(['请从左侧选择具体内容。', 'Choose a page on the left.'])}</p>}
      {of.attachments.length > 0 && (
        <>
          <h3>{say(['附件', 'Attachments'])}</h3>
          <Attachments list={of.attachments} />
        </>
      )}
      <p className="faint">
        {of.authorName ?? say(['平台', 'The platform'])} · <Time at={of.updatedAt} />
      </p>
    </article>
  )
}

export function HelpTree({
  nodes,
  chosen,
  onChoose,
}: {
  nodes: readonly Node[]
  chosen: string | undefined
  onChoose: (id: string | undefined) => void
}) {
  const say = useText()
  const items = useMemo(() => itemsOf(nodes, say), [nodes, say])
  if (nodes.length === 0) return null
  return (
    <TreePane
      items={items}
      chosen={chosen}
      onChoose={onChoose}
      open={nodes.filter(({ parentId }) => !parentId).map(({ id }) => id)}
      hint={say(['查找标题', 'Find title'])}
    />
  )
}

/** The tree's items; `without` leaves a page and all below it out, for a form that moves it. */
export function itemsOf(nodes: readonly Node[], say: Say, without?: string, parent: string | null = null): TreeNode[] {
  return nodes
    .filter(({ id, parentId }) => parentId === parent && id !== without)
    .map(({ id, title, titleEn, state }) => ({
      key: id,
      words: `${title} ${titleEn}`,
      title: (
        <span>
          {say([title, titleEn])}
          {state === HelpState.draft && <span className="faint tree-count">{say(['草稿', 'draft'])}</span>}
        </span>
      ),
      children: itemsOf(nodes, say, without, id),
    }))
}
