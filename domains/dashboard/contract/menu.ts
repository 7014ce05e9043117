import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'
import { COST } from './sample.ts'

export const menu: MenuEntry[] = [
  { ...screen('/index', 'TodayScreen', ['首页', 'Home'], ['dashboard:home:view']), icon: 'dashboard' },
  screen(
    '/demo/page1',
    'GalleryListsScreen',
    ['列表', 'Lists'],
    ['dashboard:sample:view'],
    [
      { code: 'edit', name: ['新增、编辑、删除', 'Add, edit, delete'], needs: 'dashboard:sample:edit' },
      { code: 'cost', name: ['查看成本', 'See the cost'], needs: COST },
    ],
  ),
  screen('/demo/page2', 'GalleryDialogsScreen', ['弹窗与表单', 'Dialogs and forms'], ['dashboard:sample:view']),
  screen('/demo/page3', 'GalleryPartsScreen', ['其他构件', 'Other building blocks'], ['dashboard:sample:view']),
]
