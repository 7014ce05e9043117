/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  FeeRuleScreen: () => import('./RuleScreen.tsx'),
  ChargeConfigScreen: () => import('./AssociateScreen.tsx'),
}
