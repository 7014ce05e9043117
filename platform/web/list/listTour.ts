import type { Tour } from '../tour/tour.ts'

/** Every list is worked in the same way. */
export const LIST_TOUR: Tour = {
  key: 'list',
  name: ['列表', 'Lists'],
  steps: [
    {
      at: '.list .search',
      title: ['查询', 'Search'],
      text: [
        '填好条件按回车即可查询；不常用的条件在「更多」里。条件写在网址里，可以收藏，也可以发给同事。',
        'Enter your criteria and press Enter; less-used fields are under More. The search is part of the page address, so you can bookmark or share it.',
      ],
    },
    {
      at: '.list .filters',
      title: ['生效的条件', 'Filters in force'],
      text: ['当前生效的筛选条件；点 × 可去掉。', 'Active filters. Click × to remove one.'],
    },
    {
      at: '.list .figures',
      title: ['数字', 'Figures'],
      text: ['当前条件下的数量；点一下只看这些。', 'Counts for the current filter. Click one to show only those records.'],
    },
    {
      at: '.list .views-button',
      title: ['视图', 'Views'],
      text: [
        '把常用的条件、排序存成视图，下次一点就到；可以只给自己，也可以共享。',
        'Save a filter and sort order as a view, for yourself or to share, and reopen it in one click.',
      ],
    },
    {
      at: '.list .columns-button',
      title: ['列', 'Columns'],
      text: [
        '选择显示哪些列、排在哪里、固定在哪一侧；列宽可以拖动。换一台电脑登录也是一样。',
        'Choose, reorder, pin and resize columns. Your layout follows you to any computer.',
      ],
    },
    {
      at: '.list .list-rows thead',
      title: ['排序', 'Order'],
      text: ['点列名排序；按住 Shift 再点，可按多列排序。', 'Click a column heading to sort; Shift-click to sort by several columns.'],
    },
    {
      at: '.list .export-button',
      title: ['导出', 'Export'],
      text: [
        '把当前条件下的全部记录导出；行数多时在后台进行，完成会通知您。箭头里可以换格式或定时导出。',
        'Exports every record that matches the filter. Large exports run in the background and notify you when ready. Use the arrow for other formats and scheduled exports.',
      ],
    },
    {
      at: '.list .list-rows tbody',
      title: ['记录', 'Records'],
      text: [
        '点一行看详情；j、k 看下一条、上一条，Esc 关闭。按 ? 列出本页所有快捷键。',
        'Click a row for details; j and k move to the next and previous record, Esc closes. Press ? for all shortcuts.',
      ],
    },
  ],
}
