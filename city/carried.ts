export const APP = '3.2.1'
/** A handheld, its park and who carries it. */
export const CARRIED = [
  ['PDA-0001', 'P001', 'T008'],
  ['PDA-0002', 'P002', 'T011'],
  ['PDA-0003', 'P003', 'T015'],
] as const

export type Said = readonly [level: 'info' | 'warn' | 'error', tag: string, text: string]
/** At the beginning and at the end of a shift. */
export const BEGIN: readonly Said[] = [
  ['info', '班次', '签到成功，班次 早班'],
  ['info', '网络', '已连接 4G，信号良好'],
]
export const END: readonly Said[] = [
  ['info', '上传', '当班记录全部上传'],
  ['info', '班次', '签退成功，现金已缴存'],
]
/** Log lines between start and end, the usual ones first. */
const BETWEEN: readonly Said[] = [
  ['info', '收费', '扫码收费成功，小票已打印'],
  ['info', '收费', '扫码收费成功，车主不需要小票'],
  ['info', '上传', '现场照片上传完成，共 3 张'],
  ['info', '网络', '网络由 4G 切换到无线'],
  ['info', '定位', '定位完成，精度 8 米'],
  ['warn', '打印', '打印机缺纸'],
  ['warn', '电量', '电量低于 20%，请及时充电'],
  ['warn', '定位', '定位精度低于 50 米，泊位请人工确认'],
  ['warn', '时钟', '本机时钟快 42 秒，已按服务器校正'],
  ['error', '打印', '蓝牙打印机连接断开，重连失败 3 次'],
  ['error', '上传', '照片上传超时，已存入本机待补传'],
  ['error', '相机', '相机初始化失败，请重启程序'],
]
// Squared: the usual is heard more often than what breaks.
export const between = (next: () => number): Said => BETWEEN[Math.floor(next() ** 2 * BETWEEN.length)]!
