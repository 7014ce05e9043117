/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  TemporaryIncomeScreen: () => import('./TemporaryIncomeScreen.tsx'),
  MonthlyRechargeScreen: () => import('./MonthlyRechargeScreen.tsx'),
  FinanceScreen: () => import('./FinanceScreen.tsx'),
}
