import type { Tour } from './tour.ts'

/** Every list is worked in the same way. */
export const LIST_TOUR: Tour = {
  key: 'list',
  name: ['列表', 'Lists'],
  steps: [
    {
      at: '.list .search',
      title: ['查询', 'Search'],
      text: [
        '填好条件按回车即可查询；不常用的条件在“更多”里。条件写在网址里，可以收藏，也可以发给同事。',
        'Fill in what you look for and press Enter; seldom used fields are under More. It all stands in the address: keep it, or send it to a colleague.',
      ],
    },
    {
      at: '.list .filters',
      title: ['生效的条件', 'Filters in force'],
      text: ['现在按这些条件筛选；点叉去掉一个。', 'The list is narrowed by these; a cross takes one away.'],
    },
    {
      at: '.list .figures',
      title: ['数字', 'Figures'],
      text: ['当前条件下的数量；点一下只看这些。', 'How many there are of the whole filter; a press shows just those.'],
    },
    {
      at: '.list .views-button',
      title: ['视图', 'Views'],
      text: [
        '把常用的条件、排序存成视图，下次一点就到；可以只给自己，也可以共享。',
        'Keep a filter and its order as a view and come back by one press, for yourself or shared.',
      ],
    },
    {
      at: '.list .columns-button',
      title: ['列', 'Columns'],
      text: [
        '选择显示哪些列、排在哪里、固定在哪一侧；列宽可以拖动。换一台电脑登录也是一样。',
        'Choose which columns are shown, where, and which stay at a side; drag their edges. It follows you to any computer.',
      ],
    },
    {
      at: '.list .list-rows thead',
      title: ['排序', 'Order'],
      text: ['点列名排序；按住 Shift 再点，可按多列排序。', 'Press a column’s name to sort; with Shift several columns sort at once.'],
    },
    {
      at: '.list .export-button',
      title: ['导出', 'Export'],
      text: [
        '把当前条件下的全部记录导出；行数多时在后台进行，完成会通知您。箭头里可以换格式或定时导出。',
        'Takes away the whole filter as a sheet; many rows are written in the background and you are told. The arrow has other kinds, and exports by schedule.',
      ],
    },
    {
      at: '.list .list-rows tbody',
      title: ['记录', 'Records'],
      text: [
        '点一行看详情；j、k 看下一条、上一条，Esc 关闭。按 ? 列出本页所有快捷键。',
        'Press a row for its details; j and k go on and back, Esc closes. The key ? lists all keys of the page.',
      ],
    },
  ],
}
