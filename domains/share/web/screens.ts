/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  SharedParkScreen: () => import('./SharedParkScreen.tsx'),
  ShareMonthCardScreen: () => import('./FeesMonthlyScreen.tsx'),
  ShareOrderScreen: () => import('./BookingMoneyScreen.tsx'),
  ShareMemberScreen: () => import('./OfferScreen.tsx'),
  ShareReserveScreen: () => import('./BookingScreen.tsx'),
  ShareParkingRecordScreen: () => import('./BookingStaysScreen.tsx'),
  ShareTimeoutScreen: () => import('./BookingOverrunScreen.tsx'),
  ShareMakeUpScreen: () => import('./BookingUnpaidScreen.tsx'),
  AppointmentRecordScreen: () => import('./ReservationScreen.tsx'),
  AppointmentSupervisionScreen: () => import('./ReservationTodayScreen.tsx'),
  DefaultRecordScreen: () => import('./ReservationNoShowScreen.tsx'),
  AppointmentConfigScreen: () => import('./ReservationRuleScreen.tsx'),
  ParkReservationScreen: () => import('./ReservationDeskScreen.tsx'),
  ReservationDefaultScreen: () => import('./ReservationNoShowDeskScreen.tsx'),
}
