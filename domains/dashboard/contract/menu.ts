import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'
import { COST } from './sample.ts'

export const menu: MenuEntry[] = [
  { ...screen('/index', 'TodayScreen', ['首页', 'Home'], ['dashboard:home:view']), icon: 'dashboard' },
  {
    ...screen(
      '/assetManage/dashboard',
      'AssetDashboardScreen',
      ['资产概览', 'Asset dashboard'],
      ['dashboard:home:view', 'parking:park:view', 'roadside:berth:view'],
    ),
    order: 0,
  },
  {
    ...screen(
      '/operation/dashboard',
      'OperationDashboardScreen',
      ['运营概览', 'Operation dashboard'],
      ['dashboard:home:view', 'settlement:order:view'],
    ),
    order: 0,
  },
  {
    ...screen(
      '/userCenter/dashboard',
      'UserDashboardScreen',
      ['车主概览', 'Owner dashboard'],
      ['dashboard:home:view', 'owner:asset:view', 'owner:person:view', 'arrears:record:view'],
    ),
    order: 0,
  },
  {
    ...screen('/activity/dashboard', 'ActivityDashboardScreen', ['营销概览', 'Promotion dashboard'], ['coupon:coupon:view', 'coupon:points:view']),
    order: 0,
  },
  screen('/assetManage/roadParking/screen', 'RoadWallScreen', ['路内停车大屏', 'Roadside wall'], ['roadside:berth:view', 'arrears:record:view']),
  screen(
    '/assetManage/parkingAndFacility/wallLink',
    'WallLinkScreen',
    ['大屏链接', 'Wall display links'],
    ['dashboard:wall-link:view'],
    [{ code: 'edit', name: ['新建、吊销', 'Create, revoke'], needs: 'dashboard:wall-link:edit' }],
  ),
  screen(
    '/demo/page1',
    'GalleryListsScreen',
    ['列表', 'Lists'],
    ['dashboard:sample:view'],
    [
      { code: 'edit', name: ['新增、编辑、删除', 'Add, edit, delete'], needs: 'dashboard:sample:edit' },
      { code: 'cost', name: ['查看成本', 'View cost'], needs: COST },
    ],
  ),
  screen('/demo/page2', 'GalleryDialogsScreen', ['弹窗与表单', 'Dialogs and forms'], ['dashboard:sample:view']),
  screen('/demo/page3', 'GalleryPartsScreen', ['其他构件', 'Other building blocks'], ['dashboard:sample:view']),
]
