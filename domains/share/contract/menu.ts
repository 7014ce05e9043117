import { ButtonType, type MenuEntry, screen } from '../../../platform/contract/menu.ts'

const looks = ['share:share:view', 'parking:park:view'] as const
const keeps = ['share:reservation:view', 'parking:park:view'] as const
const edit = { code: 'edit', name: ['设置共享', 'Set up sharing'], needs: 'share:share:edit' } as const
const owners = { code: 'owners', name: ['选择车主', 'Choose owners'], needs: 'owner:asset:view' } as const
const book = { code: 'book', name: ['预约与取消共享车位', 'Book and cancel shared bays'], needs: 'share:order:edit' } as const
const reserve = { code: 'reserve', name: ['登记与变更预约', 'Add and change reservations'], needs: 'share:reservation:edit' } as const
const lift = { code: 'lift', name: ['解除停约', 'Lift suspension'], needs: 'share:reservation:lift' } as const
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
  screen('/share/member', 'ShareMemberScreen', ['共享会员', 'Sharing members'], [...looks], [edit, owners]),
  screen('/share/reserve', 'ShareReserveScreen', ['共享预约', 'Sharing appointments'], [...looks], [book]),
  screen('/share/parkingRecord', 'ShareParkingRecordScreen', ['共享停车记录', 'Sharing parking records'], [...looks]),
  screen('/share/timeout', 'ShareTimeoutScreen', ['共享超时记录', 'Sharing overruns'], [...looks]),
  screen('/share/makeUp', 'ShareMakeUpScreen', ['共享补缴', 'Sharing repayments'], [...looks]),
  screen('/share/orderPark/appointmentRecords', 'AppointmentRecordScreen', ['预约记录', 'Appointment records'], [...keeps]),
  screen('/share/orderPark/appointmentSupervision', 'AppointmentSupervisionScreen', ['预约监管', 'Appointment supervision'], [...keeps], [reserve]),
  screen('/share/orderPark/defaultRecords', 'DefaultRecordScreen', ['违约记录', 'Default records'], [...keeps], [lift]),
  screen('/share/orderPark/orderAppointmentConfig', 'AppointmentConfigScreen', ['预约配置', 'Appointment configuration'], [...keeps], [reserve]),
  screen('/parkReservation/reservation', 'ParkReservationScreen', ['停车预约', 'Parking reservation'], [...keeps], [reserve]),
  screen('/parkReservation/default', 'ReservationDefaultScreen', ['预约违约', 'Reservation defaults'], [...keeps], [lift]),
] // prettier-ignore
