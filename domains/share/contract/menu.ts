import { ButtonType, type MenuEntry, screen } from '../../../platform/contract/menu.ts'

const looks = ['share:share:view', 'parking:park:view'] as const
const keeps = ['share:reservation:view', 'parking:park:view'] as const
const edit = { code: 'edit', name: ['设置共享', 'Set up sharing'], needs: 'share:share:edit' } as const
const owners = { code: 'owners', name: ['选择车主', 'Choose owners'], needs: 'owner:asset:view' } as const
const book = { code: 'book', name: ['预约与取消共享车位', 'Book and cancel shared bays'], needs: 'share:order:edit' } as const
const reserve = { code: 'reserve', name: ['登记与变更预约', 'Add and change reservations'], needs: 'share:reservation:edit' } as const
const lift = { code: 'lift', name: ['恢复预约资格', 'Lift booking ban'], needs: 'share:reservation:lift' } as const
const payouts = [
  { code: 'payoutView', name: ['查看提现', 'See payouts'], needs: 'share:payout:view' },
  { code: 'payoutApply', name: ['申请提现', 'Request a payout'], needs: 'share:payout:apply', type: ButtonType.primary },
  { code: 'payoutAudit', name: ['审核提现', 'Review payouts'], needs: 'share:payout:audit' },
  { code: 'payoutSettle', name: ['登记打款', 'Record transfer'], needs: 'share:payout:settle' },
] as const

/** The screens of the domain and what each needs; paths and names are the catalogue's. */
export const menu: MenuEntry[] = [
  screen('/share/carPark', 'SharedParkScreen', ['共享车场', 'Shared parks'], [...looks], [edit]),
  screen('/share/monthCard', 'ShareMonthCardScreen', ['共享月卡', 'Shared monthly passes'], [...looks], [edit]),
  screen('/share/order', 'ShareOrderScreen', ['共享订单', 'Sharing orders'], [...looks], [...payouts, owners]),
  screen('/share/member', 'ShareMemberScreen', ['共享车位', 'Shared bays'], [...looks], [edit, owners]),
  screen('/share/reserve', 'ShareReserveScreen', ['共享预约', 'Shared bay bookings'], [...looks], [book]),
  screen('/share/parkingRecord', 'ShareParkingRecordScreen', ['共享停车记录', 'Stays in shared bays'], [...looks]),
  screen('/share/timeout', 'ShareTimeoutScreen', ['共享超时记录', 'Sharing overruns'], [...looks]),
  screen('/share/makeUp', 'ShareMakeUpScreen', ['超时费补缴', 'Unpaid overrun fees'], [...looks]),
  screen('/share/orderPark/appointmentRecords', 'AppointmentRecordScreen', ['预约记录', 'Reservation records'], [...keeps]),
  screen('/share/orderPark/appointmentSupervision', 'AppointmentSupervisionScreen', ['今日预约', 'Today’s reservations'], [...keeps], [reserve]),
  screen('/share/orderPark/defaultRecords', 'DefaultRecordScreen', ['违约记录', 'No-shows'], [...keeps], [lift]),
  screen('/share/orderPark/orderAppointmentConfig', 'AppointmentConfigScreen', ['预约规则', 'Reservation rules'], [...keeps], [reserve]),
  screen('/parkReservation/reservation', 'ParkReservationScreen', ['登记预约', 'Reservations'], [...keeps], [reserve]),
  screen('/parkReservation/default', 'ReservationDefaultScreen', ['违约处理', 'No-show handling'], [...keeps], [lift]),
]
