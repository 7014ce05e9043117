import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'
import { around } from './menuAround.ts'

const looks = ['charging:pile:view', 'charging:station:view', 'parking:park:view'] as const
const orders = ['charging:order:view', 'parking:park:view'] as const
const editPile = { code: 'edit', name: ['维护充电桩', 'Edit piles'], needs: 'charging:pile:edit' } as const
const tellPile = [
  { code: 'operate', name: ['启停、解锁与触发', 'Start, stop, unlock and trigger'], needs: 'charging:pile:operate' },
  { code: 'engineer', name: ['重启、配置、固件与日志', 'Restart, settings, firmware and logs'], needs: 'charging:pile:engineer' },
  { code: 'secret', name: ['更换密钥', 'Renew the secret'], needs: 'charging:secret:edit' },
  { code: 'frames', name: ['查看原始报文', 'View frames'], needs: 'charging:frame:view' },
] as const
const desk = [
  { code: 'edit', name: ['结束订单与绑定车牌', 'Close sessions and link plates'], needs: 'charging:order:edit' },
  { code: 'finance', name: ['调整与退款', 'Adjust and refund'], needs: 'charging:order:finance' },
] as const

/** The screens of the domain and what each needs; paths and names are the catalogue's. */
export const menu: MenuEntry[] = [
  screen(
    '/recharge/chargingCompany',
    'ChargingCompanyScreen',
    ['充电运营商', 'Charging operators'],
    ['charging:operator:view'],
    [{ code: 'edit', name: ['维护运营商', 'Edit operators'], needs: 'charging:operator:edit' }],
  ),
  screen(
    '/recharge/chargingStation',
    'ChargingStationScreen',
    ['充电站', 'Charging stations'],
    ['charging:station:view', 'charging:operator:view', 'parking:park:view'],
    [{ code: 'edit', name: ['维护充电站', 'Edit stations'], needs: 'charging:station:edit' }],
  ),
  screen('/recharge/list', 'ChargingListScreen', ['充电站总览', 'Stations and connectors'], [...looks]),
  screen('/recharge/chargingPileList', 'ChargingPileScreen', ['充电桩列表', 'Charging piles'], [...looks], [editPile, ...tellPile]),
  screen('/recharge/chargingQrCode', 'ChargingQrScreen', ['充电二维码', 'Charging QR codes'], [...looks]),
  screen(
    '/recharge/chargingStrategy',
    'ChargingStrategyScreen',
    ['充电策略', 'Charging strategies'],
    ['charging:strategy:view', 'charging:station:view'],
    [
      { code: 'edit', name: ['维护价格与用户策略', 'Edit prices and discounts'], needs: 'charging:strategy:edit' },
      { code: 'cardView', name: ['查看充电卡', 'View charging cards'], needs: 'charging:card:view' },
      { code: 'card', name: ['维护充电卡', 'Edit charging cards'], needs: 'charging:card:edit' },
    ],
  ),
  screen('/recharge/chargingOrder/use', 'ChargingUseScreen', ['充电订单', 'Charging sessions'], [...orders], [...desk]),
  screen('/recharge/chargingOrder/deposit', 'ChargingDepositScreen', ['充电预付', 'Prepayments'], [...orders]),
  screen('/recharge/chargingOrder/refund', 'ChargingRefundScreen', ['充电退款订单', 'Charging refunds'], [...orders]),
  ...around,
]
