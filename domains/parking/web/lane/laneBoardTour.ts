import type { Tour } from '../../../../platform/web/tour/tour.ts'

export const LANE_BOARD_TOUR: Tour = {
  key: 'lane-board',
  name: ['车道看板', 'Lane board'],
  steps: [
    {
      at: '.board .board-parks',
      title: ['看哪些车场', 'Which car parks'],
      text: ['选择您值守的车场；下次打开仍是这些。', 'Choose the car parks you watch; the choice is kept for next time.'],
    },
    {
      at: '.board .needs',
      title: ['需要您的', 'What needs you'],
      text: [
        '有车等待人工处理时在这里列出，等得最久的在前；点一下到那条车道。',
        'Lanes with a car waiting for staff, longest wait first. Click one to go to it.',
      ],
    },
    {
      at: '.board .lanes',
      title: ['车道', 'Lanes'],
      text: [
        '每条车道在固定的位置：有车时是一张卡片，写着车牌、决定和原因；没有事时是一行。',
        'Each lane keeps its place: a card with plate, decision and reason while a car is there, otherwise one line.',
      ],
    },
    {
      at: '.board [data-gate]',
      title: ['处理一辆车', 'Dealing with a car'],
      text: [
        '选中车道后用键盘操作：放行、修正车牌、核对费用都有快捷键，按 ? 查看。手动放行要写明原因，会记入日志。',
        'Select a lane, then use the keyboard to let the car through, correct its plate or check its fee. Press ? for the keys. Opening by hand needs a reason and is logged.',
      ],
    },
    {
      at: '.board .lately',
      title: ['最近通行', 'Recent passages'],
      text: ['刚刚通过的车和当时的决定。', 'Cars that just passed, and the decision for each.'],
    },
  ],
}
