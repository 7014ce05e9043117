/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  TemporaryIncomeScreen: () => import('./ReportScreen.tsx'),
  MonthlyRechargeScreen: () => import('./RechargeScreen.tsx'),
  FinanceScreen: () => import('./OrderScreen.tsx'),
}
