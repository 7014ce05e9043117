/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  SharedParkScreen: () => import('./SharedParkScreen.tsx'),
  ShareMonthCardScreen: () => import('./ShareMonthCardScreen.tsx'),
  ShareOrderScreen: () => import('./ShareOrderScreen.tsx'),
  ShareMemberScreen: () => import('./ShareMemberScreen.tsx'),
  ShareReserveScreen: () => import('./ShareReserveScreen.tsx'),
  ShareParkingRecordScreen: () => import('./ShareParkingRecordScreen.tsx'),
  ShareTimeoutScreen: () => import('./ShareTimeoutScreen.tsx'),
  ShareMakeUpScreen: () => import('./ShareMakeUpScreen.tsx'),
  AppointmentRecordScreen: () => import('./AppointmentRecordScreen.tsx'),
  AppointmentSupervisionScreen: () => import('./AppointmentSupervisionScreen.tsx'),
  DefaultRecordScreen: () => import('./DefaultRecordScreen.tsx'),
  AppointmentConfigScreen: () => import('./AppointmentConfigScreen.tsx'),
  ParkReservationScreen: () => import('./ParkReservationScreen.tsx'),
  ReservationDefaultScreen: () => import('./ReservationDefaultScreen.tsx'),
}
