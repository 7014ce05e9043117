import sharp from 'sharp'
import { document } from '../../domains/system/contract/document.ts'
import { file } from '../../domains/system/contract/file.ts'
import type { Client } from '../client.ts'

/** A document of an operator of car parks: folder, name, a sentence on it, and its text. */
type Paper = readonly [path: string, name: string, remark: string | null, lines: readonly string[]]
const PAPERS: readonly Paper[] = [
  [
    '合同协议/2026年',
    '人民广场地下停车场委托经营合同.pdf',
    '2026-01-08 签订，期限三年',
    ['委托经营合同', '合同编号：BC-HT-2026-001', '委托期限：2026-02-01 至 2029-01-31', '泊位数：860', '收益分成：经营方 70%，产权方 30%'],
  ],
  [
    '合同协议/2026年',
    '中心医院南区停车场合作协议.pdf',
    null,
    ['合作协议', '合同编号：BC-HT-2026-004', '就诊车辆前 30 分钟免费', '住院家属凭证明办理优惠月卡'],
  ],
  [
    '合同协议/2026年',
    '道闸与相机采购合同.pdf',
    '质保两年，到货验收单见附件夹',
    ['采购合同', '合同编号：BC-CG-2026-011', '道闸一体机 16 台，车牌识别相机 28 台', '到货后 10 个工作日内安装调试完毕'],
  ],
  ['合同协议/2026年', '短信服务续费协议.pdf', null, ['短信服务协议', '套餐：20 万条/年', '到期提醒：提前 30 天']],
  [
    '合同协议/2025年',
    '高铁东站 P2 场地租赁合同.pdf',
    '2027 年到期，年底前谈续租',
    ['场地租赁合同', '合同编号：BC-HT-2025-019', '租赁期限：2025-06-01 至 2027-05-31'],
  ],
  ['合同协议/2025年', '保洁与保安外包合同.pdf', null, ['外包服务合同', '服务范围：人民广场、中心医院、高铁东站', '保安 12 人，保洁 6 人']],
  [
    '合同协议/2025年',
    '供应商名录.csv',
    '采购部每季度更新',
    [
      '供应商,类别,联系人,电话',
      '襄州智能设备有限公司,道闸与相机,周经理,0710-3511020',
      '汉江通信服务部,网络与短信,刘经理,0710-3522871',
      '城建照明工程公司,照明改造,何工,0710-3536642',
    ],
  ],
  [
    '制度规范',
    '收费员岗位规范.txt',
    '2026 版，上岗前签收',
    ['一、着装整齐，佩戴工牌。', '二、主动出示收费标准，唱收唱付。', '三、离岗须向班长交接，手持机随人。', '四、当班现金当班缴存，不得隔夜。'],
  ],
  ['制度规范', '现金缴存与对账制度.txt', null, ['每班结束后两小时内缴存。', '长短款超过 20 元的，当日书面说明。', '财务次日 10 点前完成对账。']],
  [
    '制度规范',
    '减免审批办法.txt',
    '两人办理',
    ['一、申请人写明理由并附影像。', '二、审核人与申请人不得为同一人。', '三、单笔 100 元以上由运营部负责人审核。'],
  ],
  ['制度规范', '车牌与影像资料保密规定.txt', null, ['影像保存 90 天，纠纷影像保存至结案。', '不得截图外传，不得用于与停车无关的用途。']],
  ['制度规范', '节假日值班制度.txt', null, ['节前三日排定值班表。', '值班人员 24 小时手机畅通。']],
  ['车场资料/人民广场', '人民广场总平面图.png', '消防验收版', ['人民广场地下停车场', '860 泊位 · 1 进 1 出']],
  [
    '车场资料/人民广场',
    '人民广场泊位清单.csv',
    null,
    ['泊位号,楼层,类型', 'A-001,B1,普通', 'A-002,B1,普通', 'A-003,B1,无障碍', 'B-001,B2,充电', 'B-002,B2,充电'],
  ],
  ['车场资料/人民广场', '备案回执 XZ-P001.pdf', null, ['机动车停车场备案回执', '备案编号：XZ-P001', '备案机关：襄州区停车管理办公室']],
  ['车场资料/中心医院', '中心医院南区平面图.png', null, ['中心医院南区停车场', '420 泊位 · 1 进 1 出']],
  ['车场资料/中心医院', '急救通道说明.txt', '任何时候不得占用', ['急救通道位于 1 号出口右侧。', '救护车自动放行；识别失败时值班员立即手动放行。']],
  ['车场资料/中心医院', '备案回执 XZ-P002.pdf', null, ['机动车停车场备案回执', '备案编号：XZ-P002', '备案机关：襄州区停车管理办公室']],
  ['车场资料/高铁东站', '高铁东站 P2 平面图.png', null, ['高铁东站 P2 停车场', '1200 泊位 · 2 进 2 出']],
  ['车场资料/高铁东站', '备案回执 XZ-P003.pdf', null, ['机动车停车场备案回执', '备案编号：XZ-P003', '备案机关：襄州区停车管理办公室']],
  [
    '车场资料/高铁东站',
    '春运车流组织方案.pdf',
    '去年执行情况良好',
    ['春运车流组织方案', '高峰：腊月二十三至正月初八', '增设临时泊位 80 个，引导员 6 人'],
  ],
  ['培训资料', '新员工入职培训.pdf', null, ['新员工入职培训', '第一天：规章制度与安全', '第二天：手持机与收费', '第三天：跟班实习']],
  ['培训资料', '手持机操作手册.pdf', '适用于 3.2 版', ['手持机操作手册', '一、签到与签退', '二、登记泊位', '三、收费与打印', '四、异常处理']],
  ['培训资料', '文明服务用语.txt', null, ['您好，请出示停车凭证。', '请您核对金额，谢谢。', '祝您一路平安。']],
  [
    '培训资料',
    '培训签到表 2026 年第三季度.csv',
    null,
    ['姓名,部门,日期,成绩', '张师傅,运营一部,2026-09-12,92', '李女士,运营一部,2026-09-12,88', '王先生,财务部,2026-09-13,95'],
  ],
  [
    '应急预案',
    '暴雨内涝应急预案.pdf',
    '每年 5 月演练',
    ['暴雨内涝应急预案', '黄色预警：检查排水泵与挡水板', '橙色预警：劝离地下二层车辆', '红色预警：关闭地下车场入口'],
  ],
  ['应急预案', '停电应急预案.txt', null, ['停电后道闸自动抬起，改为人工登记。', '恢复供电后一小时内补录。']],
  ['应急预案', '火灾应急预案.pdf', null, ['火灾应急预案', '一、报警：119，同时通知值班经理', '二、全部道闸常开', '三、疏散引导，禁止使用电梯']],
  [
    '应急预案',
    '应急联系电话.csv',
    '过期请告知行政部',
    ['岗位,姓名,电话', '值班经理,陈经理,0710-3600001', '设备抢修,何工,0710-3600012', '派出所,,0710-3110110'],
  ],
  [
    '巡检与维护',
    '道闸月度保养记录.csv',
    null,
    [
      '日期,车场,通道,项目,结果',
      '2026-11-03,人民广场,P001-G01,弹簧与皮带,正常',
      '2026-11-03,人民广场,P001-G02,防砸雷达,已清洁',
      '2026-11-04,中心医院,P002-G01,起落次数,412365',
    ],
  ],
  ['巡检与维护', '相机补光灯更换照片.png', '2026-11-04 更换', ['P002-G01 相机补光灯', '更换后 · 夜间']],
  [
    '巡检与维护',
    '消防器材巡检表.csv',
    null,
    ['日期,位置,器材,结果', '2026-11-01,人民广场 B1,灭火器 24 具,合格', '2026-11-01,人民广场 B2,消火栓 8 处,1 处水压偏低'],
  ],
  ['巡检与维护', '冬季设备检查要点.txt', '低温前完成', ['道闸：润滑、限位、防砸。', '相机：护罩结霜，补光灯。', '充电桩：枪头密封，接地。']],
]

/** Folders and the files in them, uploaded as a person uploads them. What is there already stays. */
export async function addPapers(client: Client): Promise<void> {
  const { records } = await client.ask(document.getList, { limit: 500 })
  const there = new Set(records.map(({ dirPath, name }) => `${dirPath.replaceAll(' / ', '/')}/${name}`))
  const folders = await foldersOf(client)
  for (const [path, name, remark, lines] of PAPERS) {
    if (there.has(`${path}/${name}`)) continue
    const dirId = await ensureFolder(client, folders, path)
    const { fileName } = await client.ask(file.upload, { file: await written(name, lines) })
    await client.ask(document.addFile, { name, dirId: dirId as never, annexes: [{ fileName }], ...(remark && { remark }) })
  }
}

type Folders = Map<string, string>
async function foldersOf(client: Client): Promise<Folders> {
  const found: Folders = new Map()
  const walk = (nodes: readonly { id: string; name: string; children: readonly unknown[] }[], above: string) => {
    for (const { id, name, children } of nodes) {
      found.set(`${above}${name}`, id)
      walk(children as typeof nodes, `${above}${name}/`)
    }
  }
  walk(await client.ask(document.getDirTree, {}), '')
  return found
}
async function ensureFolder(client: Client, folders: Folders, path: string): Promise<string> {
  const known = folders.get(path)
  if (known) return known
  const cut = path.lastIndexOf('/')
  const parentId = cut < 0 ? null : await ensureFolder(client, folders, path.slice(0, cut))
  const { id } = await client.ask(document.addFolder, { name: path.slice(cut + 1), parentId: parentId as never })
  folders.set(path, id)
  return id
}

async function written(name: string, lines: readonly string[]) {
  const ending = name.slice(name.lastIndexOf('.') + 1)
  const text = new TextEncoder()
  if (ending === 'png') return { name, type: 'image/png', bytes: await plan(lines) }
  if (ending === 'pdf') return { name, type: 'application/pdf', bytes: text.encode(pdf(lines)) }
  // The mark at the front lets a spreadsheet program read the Chinese in it.
  if (ending === 'csv') return { name, type: 'text/csv', bytes: text.encode(`\uFEFF${lines.join('\r\n')}\r\n`) }
  return { name, type: 'text/plain', bytes: text.encode(`${lines.join('\n')}\n`) }
}

/** A plan as a drawing: rows of bays between two aisles. */
async function plan([title, note]: readonly string[]): Promise<Uint8Array> {
  const bay = (x: number, y: number) => `<rect x="${x}" y="${y}" width="34" height="60" fill="#fff" stroke="#64748b"/>`
  const rows = [110, 170, 290, 350].map((y) => Array.from({ length: 20 }, (_, i) => bay(60 + i * 34, y)).join(''))
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="480"><rect width="800" height="480" fill="#f1f5f9"/>
    <text x="60" y="52" font-size="24" font-family="sans-serif">${title}</text><text x="60" y="82" font-size="15" fill="#475569" font-family="sans-serif">${note}</text>
    ${rows.join('')}<path d="M20 260h740m-16-9 16 9-16 9" fill="none" stroke="#1b73d0" stroke-width="3"/></svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

/** One page of Chinese lines in the font that every reader brings for them. */
function pdf(lines: readonly string[]): string {
  const hex = (line: string) => [...line].map((sign) => sign.charCodeAt(0).toString(16).padStart(4, '0')).join('')
  const page = `BT /F 20 Tf 72 760 Td 34 TL ${lines.map((line, at) => `${at === 1 ? '/F 13 Tf 26 TL ' : ''}<${hex(line)}> Tj T*`).join(' ')} ET`
  const parts = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    `<</Length ${page.length}>>\nstream\n${page}\nendstream`,
    '<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-H/DescendantFonts[6 0 R]>>',
    '<</Type/Font/Subtype/CIDFontType0/BaseFont/STSong-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 4>>/FontDescriptor 7 0 R>>',
    '<</Type/FontDescriptor/FontName/STSong-Light/Flags 6/FontBBox[-25 -254 1000 880]/ItalicAngle 0/Ascent 880/Descent -120/CapHeight 880/StemV 93>>',
  ]
  let body = '%PDF-1.4\n'
  const places = parts.map((part, at) => {
    const place = body.length
    body += `${at + 1} 0 obj\n${part}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  return `${body}xref\n0 ${parts.length + 1}\n0000000000 65535 f \n${places.join('')}trailer\n<</Size ${parts.length + 1}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`
}
