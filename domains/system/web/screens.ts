/** The domain's screens by the component names of its menu; each is loaded when it is first opened. */
export const screens = {
  OperateLogScreen: () => import('./OperateLogScreen.tsx'),
  LoginLogScreen: () => import('./LoginLogScreen.tsx'),
}
