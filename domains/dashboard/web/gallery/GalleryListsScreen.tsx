import { lists } from './blocks.ts'
import { GalleryPage } from './GalleryPage.tsx'

export default function GalleryListsScreen() {
  return <GalleryPage purpose={['用真实数据搭的列表，每种用法一个例子。', 'Lists on real data, one example of each use.']} blocks={lists} />
}
