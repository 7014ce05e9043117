import { ButtonType, type MenuEntry, screen } from '../../../platform/contract/menu.ts'

/** The screens of the street; paths and names are the catalogue's. */
export const menu: MenuEntry[] = [
  screen(
    '/assetManage/roadParking/district',
    'DistrictScreen',
    ['路内片区', 'Roadside districts'],
    ['roadside:district:view'],
    [
      { code: 'edit', name: ['新增与修改', 'Add and change'], needs: 'roadside:district:edit' },
      { code: 'enable', name: ['启用停用', 'Enable and disable'], needs: 'roadside:district:enable' },
    ],
  ),
  screen(
    '/assetManage/roadParking/section',
    'SectionScreen',
    ['路段管理', 'Road sections'],
    ['roadside:section:view', 'roadside:district:view'],
    [
      { code: 'edit', name: ['新增与修改', 'Add and change'], needs: 'roadside:section:edit' },
      { code: 'enable', name: ['启用停用', 'Enable and disable'], needs: 'roadside:section:enable' },
    ],
  ),
  screen(
    '/assetManage/roadParking/berth',
    'BerthScreen',
    ['泊位管理', 'Berths'],
    ['roadside:berth:view', 'roadside:district:view', 'roadside:section:view'],
    [
      { code: 'edit', name: ['新增修改与导入', 'Add, change and import'], needs: 'roadside:berth:edit' },
      { code: 'bind', name: ['绑定设备', 'Bind devices'], needs: 'roadside:berth:bind' },
    ],
  ),
  screen(
    '/assetManage/roadParking/device',
    'RoadDeviceScreen',
    ['路内设备', 'Roadside devices'],
    ['device:device:view', 'roadside:berth:view'],
    [
      { code: 'edit', name: ['编辑', 'Edit'], needs: 'device:device:edit' },
      { code: 'secret', name: ['下发密钥', 'Issue secrets'], needs: 'device:device:secret' },
      { code: 'bind', name: ['绑定设备', 'Bind devices'], needs: 'roadside:berth:bind' },
    ],
  ),
  screen(
    '/assetManage/roadParking/charging',
    'RoadChargeScreen',
    ['路内收费规则绑定', 'Fee rules by section'],
    ['fee:associate:view', 'fee:rule:view', 'roadside:section:view', 'roadside:district:view'],
    [{ code: 'edit', name: ['关联规则', 'Link a rule'], needs: 'fee:associate:edit', type: ButtonType.primary }],
  ),
  screen(
    '/assetManage/parkingAndFacility/onSiteMonitoringCamera',
    'SiteCameraScreen',
    ['现场监控摄像头', 'On-site cameras'],
    ['device:device:view'],
    [
      { code: 'play', name: ['查看画面', 'Watch live'], needs: 'roadside:camera:play' },
      { code: 'edit', name: ['编辑', 'Edit'], needs: 'device:device:edit' },
    ],
  ),
  screen('/assetManage/roadParking/bindLog', 'BindLogScreen', ['绑定日志', 'Binding log'], ['roadside:berth:view']),
  screen('/assetManage/roadParking/gis', 'RoadMapScreen', ['路内停车GIS', 'Roadside map'], ['roadside:berth:view']),
  screen(
    '/assetManage/roadParking/hignDevice',
    'HighVideoScreen',
    ['高位视频设备', 'High-pole cameras'],
    ['roadside:camera:view'],
    [
      { code: 'play', name: ['查看画面', 'Watch live'], needs: 'roadside:camera:play' },
      { code: 'edit', name: ['移除', 'Remove'], needs: 'roadside:camera:edit' },
    ],
  ),
  screen(
    '/assetManage/roadParking/violationOfBallManagement',
    'DomeScreen',
    ['违停球机管理', 'Illegal-parking cameras'],
    ['roadside:illegal:view', 'roadside:camera:view'],
    [
      { code: 'edit', name: ['修改预置位', 'Change presets'], needs: 'roadside:dome:edit' },
      { code: 'operate', name: ['启停抓拍', 'Start and stop capturing'], needs: 'roadside:dome:operate' },
      { code: 'play', name: ['查看画面', 'Watch live'], needs: 'roadside:camera:play' },
    ],
  ),
  screen(
    '/operation/record/roadParking/roadBerth',
    'RoadBoardScreen',
    ['路内泊位状态', 'Roadside berths'],
    ['roadside:berth:view', 'roadside:stay:view'],
    [{ code: 'collect', name: ['登记与收费', 'Record and collect'], needs: 'roadside:stay:collect' }],
  ),
  screen(
    '/operation/record/roadParking/roadParkingRecord',
    'RoadRecordScreen',
    ['路内停车记录', 'Roadside parking records'],
    ['roadside:stay:view'],
    [{ code: 'correct', name: ['补录、拆分与合并', 'Fill in, split and merge'], needs: 'roadside:stay:correct' }],
  ),
  screen(
    '/operation/record/roadParking/present',
    'RoadPresentScreen',
    ['路内在停车辆', 'Cars on berths'],
    ['roadside:stay:view', 'roadside:berth:view', 'fee:car-fee:view'],
    [
      { code: 'collect', name: ['登记与收费', 'Record and collect'], needs: 'roadside:stay:collect' },
      { code: 'correct', name: ['补录、拆分与合并', 'Fill in, split and merge'], needs: 'roadside:stay:correct' },
    ],
  ),
  screen(
    '/operation/illegalStop',
    'IllegalStopScreen',
    ['违停管理', 'Illegal parking'],
    ['roadside:illegal:view'],
    [
      { code: 'create', name: ['登记', 'Record'], needs: 'roadside:illegal:create' },
      { code: 'review', name: ['审核', 'Review'], needs: 'roadside:illegal:review' },
      { code: 'push', name: ['推送与回执', 'Send and record response'], needs: 'roadside:illegal:push' },
    ],
  ),
]
