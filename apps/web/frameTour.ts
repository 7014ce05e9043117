import type { Tour } from '../../platform/web/tour/tour.ts'

export const FRAME_TOUR: Tour = {
  key: 'frame',
  name: ['控制台', 'The console'],
  steps: [
    {
      at: '.shell > .side',
      title: ['菜单', 'Menu'],
      text: ['您有权限的全部页面都在这里。', 'All pages you have access to.'],
    },
    {
      at: '.shell .jump',
      title: ['查找', 'Find'],
      text: [
        '按 s 或 Ctrl+K：按名称找页面、操作，或直接输入车牌、手机号、单号。',
        'Press s or Ctrl+K to find a page or action by name, or type a plate, phone or order number.',
      ],
    },
    {
      at: '.shell .tab-row',
      title: ['标签页', 'Tabs'],
      text: [
        '打开过的页面留在这里，条件和位置都在；刷新浏览器也不丢。',
        'Pages you opened stay here with their filters and position, even after a reload.',
      ],
    },
    {
      at: '.shell .bell',
      title: ['消息', 'Messages'],
      text: ['发给您的通知和后台任务的结果。', 'Your notifications and the results of background tasks.'],
    },
    {
      at: '.shell .help-button',
      title: ['帮助', 'Help'],
      text: ['按 h 打开本页的帮助，导览也从那里开始。', 'Press h for help on this page. Tours start there too.'],
    },
  ],
}
