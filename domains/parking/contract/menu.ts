import { SEES_PLATES } from '../../../platform/contract/personal.ts'
import { ButtonType, type MenuEntry, screen } from '../../../platform/contract/menu.ts'

/** The screens of the domain and what each needs; paths and names are the catalogue's, the lane board is our own. */
export const menu: MenuEntry[] = [
  screen(
    '/assetManage/parkingAndFacility/selfParking',
    'ParkScreen',
    ['自营停车场', 'Self-operated car parks'],
    ['parking:park:view', 'parking:gate:view'],
    [
      { code: 'edit', name: ['新增与修改', 'Add and change'], needs: 'parking:park:edit' },
      { code: 'enable', name: ['启用停用', 'Enable and disable'], needs: 'parking:park:enable' },
      { code: 'delete', name: ['删除', 'Delete'], needs: 'parking:park:delete', type: ButtonType.danger },
      { code: 'remainder', name: ['修正余位', 'Correct free bays'], needs: 'parking:park:remainder' },
      { code: 'emergency', name: ['应急常开', 'Emergency open'], needs: 'parking:park:emergency', type: ButtonType.danger },
    ],
  ),
  screen(
    '/assetManage/parkingAndFacility/channel',
    'GateScreen',
    ['通道管理', 'Gate management'],
    ['parking:gate:view', 'parking:park:view', 'device:message:view'],
    [
      { code: 'edit', name: ['新增与修改', 'Add and change'], needs: 'parking:gate:edit' },
      { code: 'enable', name: ['启用停用', 'Enable and disable'], needs: 'parking:gate:enable' },
      { code: 'operate', name: ['开闸与显示', 'Open and display'], needs: 'parking:gate:operate' },
    ],
  ),
  screen(
    '/assetManage/parkingAndFacility/qrcode',
    'QrcodeScreen',
    ['停车场二维码', 'Park QR codes'],
    ['parking:qrcode:view', 'parking:park:view'],
    [{ code: 'edit', name: ['修改与换发', 'Change and reissue'], needs: 'parking:qrcode:edit' }],
  ),
  screen(
    '/operation/record/parking/present',
    'PresentScreen',
    ['在场车辆', 'Cars present'],
    ['parking:stay:view', 'fee:car-fee:view'],
    [
      { code: 'clear', name: ['清场', 'Clear'], needs: 'parking:stay:clear' },
      { code: 'approve', name: ['审核清场', 'Approve clearings'], needs: 'parking:clearing:approve' },
      { code: 'supplement', name: ['补录入场', 'Enter a car by hand'], needs: 'parking:stay:supplement' },
      { code: 'correct', name: ['更正', 'Correct'], needs: 'parking:stay:correct' },
    ],
  ),
  screen(
    '/operation/record/parking/parkingRecord',
    'StayScreen',
    ['进出场记录', 'Stays'],
    ['parking:stay:view'],
    [
      { code: 'correct', name: ['更正', 'Correct'], needs: 'parking:stay:correct' },
      { code: 'plate', name: ['查看完整车牌与车辆图片', 'View full plates and car pictures'], needs: SEES_PLATES },
    ],
  ),
  screen(
    '/operation/record/parking/abnormal',
    'AbnormalScreen',
    ['异常停车', 'Problem stays'],
    ['parking:stay:view'],
    [
      { code: 'handle', name: ['处理', 'Handle'], needs: 'parking:stay:handle' },
      { code: 'correct', name: ['更正', 'Correct'], needs: 'parking:stay:correct' },
    ],
  ),
  screen(
    '/operation/record/parking/heldBill',
    'HeldBillScreen',
    ['费用核对', 'Fee checks'],
    ['parking:stay:view'],
    [{ code: 'handle', name: ['处理', 'Handle'], needs: 'parking:stay:handle' }],
  ),
  screen(
    '/operation/record/parking/thirdParkingRecord',
    'ThirdRecordScreen',
    ['第三方停车记录', 'Third-party parking records'],
    ['parking:stay:view'],
    [{ code: 'push', name: ['推送记录（接口）', 'Push records (API)'], needs: 'parking:third-record:push' }],
  ),
  screen('/businessCenter/carRecord/parkingRecord', 'StayScreen', ['车辆停车记录', 'Car parking records'], ['parking:stay:view']),
  screen('/businessCenter/carRecord/exceptionRecord', 'AbnormalScreen', ['异常停车记录', 'Exception records'], ['parking:stay:view']),
  screen(
    '/assetManage/parkingAndFacility/location',
    'LocationScreen',
    ['车场位置', 'Park location'],
    ['parking:park:view'],
    [{ code: 'edit', name: ['设置位置', 'Set the location'], needs: 'parking:park:edit' }],
  ),
  screen(
    '/assetManage/parkingAndFacility/related',
    'RelatedScreen',
    ['经营方式', 'Operating modes'],
    ['parking:park:view'],
    [{ code: 'edit', name: ['变更经营方式', 'Change the operating mode'], needs: 'parking:park:edit' }],
  ),
  screen(
    '/assetManage/parkingAndFacility/led',
    'LedScreen',
    ['LED 屏管理', 'LED signs'],
    ['parking:gate:view', 'parking:park:view'],
    [
      { code: 'edit', name: ['设置显示内容', 'Set sign messages'], needs: 'parking:gate:edit' },
      { code: 'operate', name: ['显示文字', 'Show a text'], needs: 'parking:gate:operate' },
      { code: 'remainder', name: ['修正余位', 'Correct free bays'], needs: 'parking:park:remainder' },
    ],
  ),
  screen('/assetManage/parkingAndFacility/screen', 'ParkWallScreen', ['停车场大屏', 'Car park wall display'], ['parking:park:view']),
  screen('/assetManage/parkingAndFacility/gis', 'ParkMapScreen', ['停车场地图', 'Car park map'], ['parking:park:view', 'parking:stay:view']),
  screen(
    '/assetManage/parkingAndFacility/filing',
    'FilingScreen',
    ['停车场备案', 'Park filing'],
    ['parking:park:view'],
    [
      { code: 'edit', name: ['提交备案', 'Submit filing'], needs: 'parking:park:edit' },
      { code: 'decide', name: ['审核', 'Review'], needs: 'parking:filing:decide' },
    ],
  ),
  screen(
    '/assetManage/parkingAndFacility/callout',
    'CallOutScreen',
    ['车道呼叫', 'Help calls'],
    ['parking:call-out:view', 'parking:gate:view'],
    [{ code: 'edit', name: ['登记呼叫', 'Record a call'], needs: 'parking:call-out:edit', type: ButtonType.primary }],
  ),
  screen('/operation/passTime', 'PassTimeScreen', ['缴费到放行时长', 'Payment-to-exit time'], ['parking:stay:view']),
  screen(
    '/operation/laneBoard',
    'LaneBoardScreen',
    ['车道看板', 'Lane board'],
    ['parking:board:view', 'parking:stay:view', 'device:device:view', 'device:message:view'],
    [{ code: 'operate', name: ['开闸与处理', 'Open and handle'], needs: 'parking:gate:operate' }],
  ),
]
