import { type ComponentType, lazy } from 'react'
import type { Text } from '../../../../platform/web/text.ts'

/** One building block of the console, shown alive: its address is `/demo/page…?block=<key>`. */
export interface Block {
  key: string
  name: Text
  /** One sentence: what it is for. */
  what: Text
  Show: ComponentType
}

/** Lists and what belongs to them. */
export const lists: readonly Block[] = [
  {
    key: 'list',
    name: ['查询列表', 'Searchable list'],
    what: [
      '查询、排序、分页都在地址里；列、视图、勾选与批量操作；行按钮多出的收进「更多」。',
      'Search, sort and page kept in the address; columns, views, selection and bulk actions; extra row buttons under “More”.',
    ],
    Show: lazy(() => import('./ListBlock.tsx')),
  },
  {
    key: 'states',
    name: ['列表的状态', 'List states'],
    what: ['加载、没有记录、没有符合条件、出错、没有权限。', 'Loading, no records, no matches, failed, not allowed.'],
    Show: lazy(() => import('./StatesBlock.tsx')),
  },
  {
    key: 'sheets',
    name: ['导入与导出', 'Import and export'],
    what: ['模板、预览、按行报错；导出的表可以原样导入。', 'Template, preview, errors by row; exported sheets can be imported as they are.'],
    Show: lazy(() => import('./SheetsBlock.tsx')),
  },
  {
    key: 'history',
    name: ['变更历史', 'History'],
    what: ['谁在什么时候把什么改成了什么；单个字段可以恢复。', 'Who changed what, when and to what; single fields can be restored.'],
    Show: lazy(() => import('./HistoryBlock.tsx')),
  },
  {
    key: 'bin',
    name: ['回收站', 'Recycle bin'],
    what: ['删除的数据保留 30 天，连同关联一起恢复。', 'Deleted data is kept for 30 days and restored with its links.'],
    Show: lazy(() => import('./BinBlock.tsx')),
  },
]

/** Dialogs and forms. */
export const dialogs: readonly Block[] = [
  {
    key: 'form',
    name: ['表单弹窗', 'Form dialog'],
    what: [
      '查看、编辑、新增；离开前询问，未保存的留作草稿，别人先改了就并排比较。',
      'View, edit and new; asks before leaving, keeps unsaved input as a draft, and compares side by side if somebody else saved first.',
    ],
    Show: lazy(() => import('./FormBlock.tsx')),
  },
  {
    key: 'questions',
    name: ['提示与确认', 'Toasts and confirmations'],
    what: ['两秒后消失的提示；操作前的确认。', 'Toasts shown for two seconds; confirmation before an action.'],
    Show: lazy(() => import('./QuestionsBlock.tsx')),
  },
  {
    key: 'palette',
    name: ['命令面板', 'Command palette'],
    what: ['页面、操作和记录，一处查找，全程键盘。', 'Find pages, actions and records in one place, using only the keyboard.'],
    Show: lazy(() => import('./PaletteBlock.tsx')),
  },
]

/** Everything else: a block of another kind adds its line here. */
export const parts: readonly Block[] = [
  {
    key: 'values',
    name: ['值的画法', 'How values look'],
    what: ['车牌、金额、时间、时长、状态：到处都一样。', 'Plates, amounts, times, durations and states look the same everywhere.'],
    Show: lazy(() => import('./ValuesBlock.tsx')),
  },
  {
    key: 'uploads',
    name: ['图片与附件上传', 'Pictures and attachments'],
    what: ['选择、拖入或粘贴；进度、重试；按内容识别种类。', 'Choose, drop or paste; progress and retry; file types detected by content.'],
    Show: lazy(() => import('./UploadsBlock.tsx')),
  },
  {
    key: 'qr',
    name: ['二维码', 'QR code'],
    what: ['显示 300 像素，保存 512 像素。', 'Shown at 300 px, saved at 512 px.'],
    Show: lazy(() => import('./QrBlock.tsx')),
  },
  {
    key: 'trees',
    name: ['带筛选的树', 'Tree with a filter'],
    what: ['筛选、计数、勾选、按需取下级；方向键可用。', 'Filter, counts, ticks, branches loaded on demand; works with arrow keys.'],
    Show: lazy(() => import('./TreesBlock.tsx')),
  },
  {
    key: 'figures',
    name: ['数字', 'Figures'],
    what: ['每个数字都能点到它背后的列表；未知写作 --。', 'Every figure links to the list behind it; unknown values show --.'],
    Show: lazy(() => import('./FiguresBlock.tsx')),
  },
  {
    key: 'rich',
    name: ['富文本', 'Rich text'],
    what: ['编辑器高 400 像素；写入和显示时各清理一次。', 'Editor 400 px high; content is sanitised on saving and on display.'],
    Show: lazy(() => import('./RichBlock.tsx')),
  },
  {
    key: 'charts',
    name: ['图表', 'Charts'],
    what: ['名称写在线旁；点数据打开列表；可切换为表格。', 'Names beside their lines; click a point to open its list; switchable to a table.'],
    Show: lazy(() => import('./ChartsBlock.tsx')),
  },
  {
    key: 'map',
    name: ['地图', 'Map'],
    what: ['自带底图，无需联网；聚合点可展开成列表。', 'Built-in base map, no internet needed; clusters open into a list.'],
    Show: lazy(() => import('./MapBlock.tsx')),
  },
  {
    key: 'calendar',
    name: ['日历', 'Calendar'],
    what: ['一个月里每天有什么；窄屏变为清单。', 'What is on each day of a month; a list on narrow screens.'],
    Show: lazy(() => import('./TimeBlock.tsx').then(({ CalendarBlock }) => ({ default: CalendarBlock }))),
  },
  {
    key: 'kanban',
    name: ['看板', 'Board'],
    what: [
      '按状态分列的卡片；只能移到允许的状态，拖动或用菜单。',
      'Cards in columns by state; move them only to allowed states, by dragging or by menu.',
    ],
    Show: lazy(() => import('./TimeBlock.tsx').then(({ KanbanBlock }) => ({ default: KanbanBlock }))),
  },
  {
    key: 'gantt',
    name: ['甘特图', 'Gantt chart'],
    what: ['同一时间轴上的时段；重叠的上下排开。', 'Periods on one time axis; overlapping ones are stacked.'],
    Show: lazy(() => import('./TimeBlock.tsx').then(({ GanttBlock }) => ({ default: GanttBlock }))),
  },
]
