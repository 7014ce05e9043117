import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'

/** The screens around charges: promotions, partners, what is now, what is ill, and the figures. */
export const around: MenuEntry[] = [
  screen(
    '/recharge/chargingActivity',
    'ActivityScreen',
    ['充电活动', 'Charging promotions'],
    ['charging:activity:view', 'charging:station:view'],
    [{ code: 'edit', name: ['发布与启停活动', 'Publish, stop and resume'], needs: 'charging:activity:edit' }],
  ),
  screen(
    '/recharge/chargingRoaming',
    'RoamingScreen',
    ['跨平台充电', 'Roaming sessions'],
    ['charging:order:view', 'charging:platform:view'],
    [
      { code: 'edit', name: ['停止跨平台充电', 'Stop roaming sessions'], needs: 'charging:order:edit' },
      { code: 'finance', name: ['处理账单争议', 'Settle disputed bills'], needs: 'charging:order:finance' },
    ],
  ),
  screen(
    '/recharge/chargingPlatform',
    'PlatformScreen',
    ['充电平台', 'Charging platforms'],
    ['charging:platform:view', 'charging:station:view'],
    [
      { code: 'edit', name: ['编辑平台', 'Edit platforms'], needs: 'charging:platform:edit' },
      { code: 'secret', name: ['更换与录入密钥', 'Renew and enter secrets'], needs: 'charging:secret:edit' },
    ],
  ),
  screen(
    '/recharge/chargingPlatformReduce',
    'PlatformReduceScreen',
    ['充电平台优惠', 'Platform discounts'],
    ['charging:platform-reduce:view', 'charging:station:view', 'parking:park:view'],
    [{ code: 'edit', name: ['编辑平台优惠', 'Edit discounts'], needs: 'charging:platform-reduce:edit' }],
  ),
  screen(
    '/recharge/chargingStatement',
    'StatementScreen',
    ['互联对账', 'Partner statements'],
    ['charging:statement:view'],
    [{ code: 'edit', name: ['对账、处理差异与结清', 'Check, close differences and settle'], needs: 'charging:statement:edit' }],
  ),
  screen(
    '/recharge/chargingRealTimeMonitoring',
    'MonitorScreen',
    ['实时监控', 'Real-time monitoring'],
    ['charging:monitor:view', 'charging:station:view'],
  ),
  screen(
    '/recharge/chargingLoad',
    'LoadScreen',
    ['充电负荷', 'Charging load'],
    ['charging:load:view', 'charging:station:view'],
    [{ code: 'edit', name: ['设置负荷', 'Set the load'], needs: 'charging:load:edit' }],
  ),
  screen('/recharge/gis', 'ChargingMapScreen', ['充电地图', 'Charging map'], ['charging:station:view', 'charging:pile:view']),
  screen(
    '/recharge/chargingFault',
    'FaultScreen',
    ['充电故障', 'Charging faults'],
    ['charging:fault:view', 'charging:station:view', 'charging:monitor:view'],
    [{ code: 'edit', name: ['上报与处理故障', 'Report and handle faults'], needs: 'charging:fault:edit' }],
  ),
  screen(
    '/recharge/chargingDanger',
    'DangerScreen',
    ['充电隐患', 'Safety hazards'],
    ['charging:danger:view', 'charging:station:view', 'charging:monitor:view'],
    [{ code: 'edit', name: ['登记与处理隐患', 'Record and handle hazards'], needs: 'charging:danger:edit' }],
  ),
  screen(
    '/recharge/chargingAnalysis/income',
    'IncomeAnalysisScreen',
    ['收入分析', 'Income analysis'],
    ['charging:analysis:view', 'charging:station:view'],
  ),
  screen(
    '/recharge/chargingAnalysis/operate',
    'OperateAnalysisScreen',
    ['运营分析', 'Operations analysis'],
    ['charging:analysis:view', 'charging:station:view'],
  ),
  screen(
    '/recharge/chargingAnalysis/power',
    'PowerAnalysisScreen',
    ['电量分析', 'Energy analysis'],
    ['charging:analysis:view', 'charging:station:view'],
  ),
  screen(
    '/recharge/chargingAnalysis/finance',
    'FinanceAnalysisScreen',
    ['财务分析', 'Finance analysis'],
    ['charging:finance:view', 'charging:station:view'],
  ),
  screen(
    '/recharge/chargingAnalysis/danger',
    'DangerAnalysisScreen',
    ['隐患分析', 'Hazard analysis'],
    ['charging:danger:view', 'charging:station:view'],
  ),
  screen('/recharge/chargingScreen', 'ChargingScreen', ['充电大屏', 'Charging wall display'], ['charging:screen:view', 'charging:station:view']),
]
