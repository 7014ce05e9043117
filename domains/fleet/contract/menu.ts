import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'
import { STEP } from './allocation.ts'

const steps = [
  { code: 'apply', name: ['申请用车与改计划', 'Request vehicles and change plans'], needs: STEP.plan },
  { code: 'approve', name: ['审批用车', 'Decide requests'], needs: STEP.approve },
  { code: 'handout', name: ['发车交接', 'Hand over'], needs: STEP.handOut },
  { code: 'return', name: ['还车', 'Return'], needs: STEP.takeBack },
  { code: 'cancel', name: ['取消派车', 'Cancel allocations'], needs: STEP.cancel },
] as const
const edit = (needs: 'fleet:brand:edit' | 'fleet:vehicle:edit' | 'fleet:driver:edit' | 'fleet:fence:edit' | 'fleet:violation:edit') =>
  ({ code: 'edit', name: ['维护', 'Edit'], needs }) as const

/** The screens of the domain and what each needs; paths and names are the catalogue's. */
export const menu: MenuEntry[] = [
  screen('/car/brand', 'FleetBrandScreen', ['车辆品牌', 'Vehicle brands'], ['fleet:brand:view'], [edit('fleet:brand:edit')]),
  screen('/car/manage', 'FleetVehicleScreen', ['车辆档案', 'Vehicles'], ['fleet:vehicle:view'], [edit('fleet:vehicle:edit')]),
  screen('/car/driver', 'FleetDriverScreen', ['驾驶员管理', 'Drivers'], ['fleet:driver:view'], [edit('fleet:driver:edit')]),
  screen('/car/supervise', 'FleetSuperviseScreen', ['车辆监管', 'Vehicle monitoring'], ['fleet:supervise:view']),
  screen(
    '/car/trajectory',
    'FleetTrackScreen',
    ['车辆轨迹', 'Vehicle tracks'],
    ['fleet:track:view', 'fleet:vehicle:view'],
    [{ code: 'export', name: ['导出轨迹', 'Export tracks'], needs: 'fleet:track:export' }],
  ),
  screen(
    '/car/gis',
    'FleetMapScreen',
    ['车辆地图', 'Fleet map'],
    ['fleet:supervise:view'],
    [
      { code: 'operate', name: ['文本与追踪', 'Text and track'], needs: 'fleet:terminal:operate' },
      { code: 'shoot', name: ['抓拍', 'Take picture'], needs: 'fleet:picture:shoot' },
    ],
  ),
  screen('/car/fence', 'FleetFenceScreen', ['电子围栏', 'Fences'], ['fleet:fence:view'], [edit('fleet:fence:edit')]),
  screen('/car/fenceEvent', 'FleetFenceEventScreen', ['围栏进出记录', 'Fence crossings'], ['fleet:fence:view']),
  screen('/car/violation', 'FleetViolationScreen', ['车队违章', 'Fleet violations'], ['fleet:violation:view'], [edit('fleet:violation:edit')]),
  screen('/car/distribution', 'FleetAllocationScreen', ['派车管理', 'Vehicle bookings'], ['fleet:allocation:view'], [...steps]),
]
