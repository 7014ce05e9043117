import { Suspense } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { PageHead } from '../../../../platform/web/page/page.tsx'
import { Waiting } from '../../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import type { Block } from './blocks.ts'
import './gallery.css'

/** Building blocks by name at the left, the chosen one alive at the right. One at a time: a list among them has the address to itself. */
export function GalleryPage({ purpose, blocks }: { purpose: Text; blocks: readonly Block[] }) {
  const say = useText()
  const { pathname } = useLocation()
  const [params] = useSearchParams()
  const page = pathname.split('/').slice(0, PAGE_SEGMENTS).join('/')
  const block = blocks.find(({ key }) => key === params.get('block')) ?? blocks[0]!
  return (
    <div className="blocks">
      <PageHead purpose={purpose} />
      <div>
        <nav aria-label={say(['构件', 'Building blocks'])}>
          {blocks.map(({ key, name }) => (
            <Link key={key} to={`${page}?block=${key}`} {...(key === block.key && { 'aria-current': 'page' as const })}>
              {say(name)}
            </Link>
          ))}
        </nav>
        <section key={block.key} data-block={block.key} aria-label={say(block.name)}>
          <p className="soft">{say(block.what)}</p>
          <Suspense fallback={<Waiting lines={6} />}>
            <block.Show />
          </Suspense>
        </section>
      </div>
    </div>
  )
}
/** `/demo/page1`, without the key of an open record. */
const PAGE_SEGMENTS = 3
