import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'

export const menu: MenuEntry[] = [
  screen('/appManage/system/operateLog', 'OperateLogScreen', ['操作日志', 'Operation log'], ['system:operation-log:view']),
  screen('/appManage/system/loginLog', 'LoginLogScreen', ['登录日志', 'Login log'], ['system:login-log:view']),
]
