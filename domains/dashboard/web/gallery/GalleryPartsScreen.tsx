import { parts } from './blocks.ts'
import { GalleryPage } from './GalleryPage.tsx'

export default function GalleryPartsScreen() {
  return <GalleryPage purpose={['其他构件，每种一个例子。', 'All other building blocks, one example of each.']} blocks={parts} />
}
