import { PRODUCT_VERSION } from '../../platform/contract/version.ts'
import { RegulationKind } from '../../domains/system/contract/regulation.ts'

interface Law {
  title: string
  docNo?: string
  kind: number
  issuer: string
  issuedOn?: string
  effectiveOn?: string
  summary: string
  published: boolean
  chapters: readonly (readonly [chapter: string, clauses: readonly string[]])[]
}

/** Laws that a district of this kind works by, in words of our own. */
export const LAWS: readonly Law[] = [
  {
    title: '襄州区机动车停车场管理办法',
    docNo: '襄州政规〔2024〕3号',
    kind: RegulationKind.rule,
    issuer: '襄州区人民政府',
    issuedOn: '2024-02-18',
    effectiveOn: '2024-04-01',
    summary: '公共停车场的备案、开放、服务与监督，经营者和停车人的权利义务。',
    published: true,
    chapters: [
      [
        '第一章 总则',
        [
          '为规范机动车停车场的规划、使用和服务，方便群众停车，改善道路交通秩序，结合本区实际，制定本办法。',
          '本办法适用于本区范围内向社会开放的公共停车场、单位和住宅小区对外开放的专用停车场。\n道路停车泊位的设置和管理另行规定。',
          '停车管理坚持规划先行、配建为主、差别收费、智慧共享的原则。',
        ],
      ],
      [
        '第二章 备案与开放',
        [
          '停车场经营者应当自开始营业之日起十五日内，向区停车主管部门备案下列事项：\n（一）经营者名称、联系方式和停车场位置；\n（二）泊位数量、出入口和开放时间；\n（三）收费依据和收费标准；\n（四）车辆识别和收费设备的型号。',
          '备案事项发生变化的，经营者应当在七日内办理变更；停止营业的，提前十五日向社会公告。',
          '停车场应当接入区智慧停车平台，实时上报空余泊位、进出车辆和收费数据，数据上报间隔不超过六十秒。',
          '鼓励机关、企事业单位和住宅小区在满足自身需要的前提下，将闲置泊位错时对外开放。',
        ],
      ],
      [
        '第三章 服务规范',
        [
          '停车场应当在入口显著位置公示名称、开放时间、收费标准、免费时长、封顶金额和监督电话。',
          '停车人驶入后在免费时长内驶离的，不得收费。免费时长不计入计费时间的，应当在公示牌上写明。',
          '停车场应当提供至少两种电子支付方式，并且不得拒收人民币现金。',
          '因设备故障无法正常计费的，经营者应当先行放行，待核实后按有利于停车人的方式处理。',
          '停车场应当按照不低于总泊位百分之二的比例设置无障碍停车位，并设置明显标志。',
        ],
      ],
      [
        '第四章 监督检查',
        [
          '区停车主管部门应当建立投诉处理机制，自接到投诉之日起五个工作日内答复。',
          '经营者未按规定备案、未公示收费标准或者未如实上报数据的，责令限期改正；逾期不改正的，依照有关规定处理。',
          '本办法自 2024 年 4 月 1 日起施行。',
        ],
      ],
    ],
  },
  {
    title: '襄州区道路停车泊位管理规定',
    docNo: '襄州停管〔2023〕11号',
    kind: RegulationKind.normative,
    issuer: '襄州区停车管理办公室',
    issuedOn: '2023-05-09',
    effectiveOn: '2023-07-01',
    summary: '路内泊位怎样设置、怎样收费、谁可以免费停放，以及占用和欠费的处理。',
    published: true,
    chapters: [
      [
        '第一章 设置',
        [
          '道路停车泊位由公安机关交通管理部门会同停车管理机构设置，其他单位和个人不得擅自设置、占用或者撤除。',
          '下列路段不得设置道路停车泊位：\n（一）消防通道和无障碍设施前；\n（二）距路口五十米以内；\n（三）公共汽车站、急救站、加油站三十米以内；\n（四）双向通行宽度不足八米的道路。',
          '泊位应当统一编号、施划标线，并在路段起点设置告示牌，注明允许停放的时间和收费标准。',
        ],
      ],
      [
        '第二章 收费',
        [
          '道路停车泊位实行限时收费，白天按时计费，夜间实行低价或者免费。具体标准按照区人民政府公布的文件执行。',
          '下列车辆免收道路停车费：\n（一）正在执行任务的警车、消防车、救护车、工程救险车；\n（二）持有效证件的残疾人驾驶的专用车辆；\n（三）停放不超过十五分钟的车辆。',
          '收费人员应当佩戴证件，使用统一的手持终端，主动出具电子票据。没有出具票据的，停车人可以拒绝支付。',
        ],
      ],
      [
        '第三章 欠费',
        [
          '停车人驶离时没有支付停车费的，计入欠费；自欠费产生之日起十五日内补缴的，不收取其他费用。',
          '停车管理机构可以通过短信、公众号等方式提醒补缴，每笔欠费每月提醒不超过两次，晚上十点至次日早上八点不得提醒。',
          '停车人对欠费有异议的，可以在线申诉；停车管理机构应当在三个工作日内核对影像资料并答复。',
        ],
      ],
    ],
  },
  {
    title: '停车服务收费明码标价实施细则',
    docNo: '襄州发改〔2024〕27号',
    kind: RegulationKind.normative,
    issuer: '襄州区发展和改革局',
    issuedOn: '2024-09-02',
    effectiveOn: '2024-10-01',
    summary: '计费单位、免费时长、封顶和优惠的公示方法，以及调价程序。',
    published: true,
    chapters: [
      [
        '',
        [
          '停车服务收费按照停车场类型分别实行政府定价、政府指导价和市场调节价。',
          '收费公示牌应当写明计费单位、单价、免费时长、二十四小时封顶金额、夜间时段和优惠对象，字高不小于五厘米。',
          '不足一个计费单位的，按照公示的规则计费；没有公示的，不足部分不收费。',
          '同一停放时间符合两项以上优惠的，按照对停车人最有利的一项执行。',
          '调整收费标准的，应当提前十五日公示；调整前已经入场的车辆，按照入场时的标准收费。',
          '经营者应当保存每笔收费的计算明细不少于两年，停车人有权查询自己车辆的明细。',
        ],
      ],
    ],
  },
  {
    title: '停车欠费追缴工作规程',
    kind: RegulationKind.internal,
    issuer: '襄州区智慧停车运营公司',
    issuedOn: '2025-03-10',
    effectiveOn: '2025-03-15',
    summary: '内部制度：欠费从产生到核销的每一步由谁做、几天内做。',
    published: true,
    chapters: [
      [
        '',
        [
          '欠费产生当日由系统自动推送一次账单；第八日仍未支付的，推送第二次。',
          '超过三十日的欠费由追缴专员核对影像、车牌和计费明细，确认无误后列入追缴名单。',
          '发现车牌识别错误或者重复计费的，立即更正并撤销欠费，不得要求停车人先行支付。',
          '减免欠费须由两人办理：一人申请并写明理由，另一人审核。申请人不得审核自己的申请。',
          '追缴名单每月公布一次车牌号码的前三位和后两位，不得公布车主的姓名和电话。',
        ],
      ],
    ],
  },
  {
    title: '电动汽车充电泊位使用规范',
    kind: RegulationKind.standard,
    issuer: '襄州区停车管理办公室',
    effectiveOn: '2027-01-01',
    summary: '正在征求意见：充电泊位的占用时限、占位费和引导标识。',
    published: false,
    chapters: [
      [
        '',
        [
          '充电泊位应当用绿色标线施划，并设置燃油车不得占用的标志。',
          '车辆充满后应当在三十分钟内驶离；超过的，可以按照公示的标准收取占位费。',
          '占位费每日封顶，并且不得超过同时段停车费的两倍。',
        ],
      ],
    ],
  },
]

type Entry = readonly [zh: string, en: string, tone?: string]
export const OWN_DICTIONARIES: readonly { type: { categoryEn: string; item: string; itemEn: string; remark: string }; entries: readonly Entry[] }[] =
  [
    {
      type: { categoryEn: 'complaint_kind', item: '投诉类别', itemEn: 'Kind of complaint', remark: '客服登记投诉时选择' },
      entries: [
        ['收费争议', 'Disputed fee', 'warning'],
        ['服务态度', 'Manners'],
        ['设备故障', 'Broken device', 'error'],
        ['车辆受损', 'Damage to a car', 'error'],
        ['指示不清', 'Unclear signs'],
        ['其他', 'Other'],
      ],
    },
    {
      type: { categoryEn: 'park_grade', item: '车场等级', itemEn: 'Grade of a park', remark: '每季度评定一次' },
      entries: [
        ['五星', 'Five stars', 'success'],
        ['四星', 'Four stars', 'success'],
        ['三星', 'Three stars'],
        ['待整改', 'To be improved', 'warning'],
      ],
    },
    {
      type: { categoryEn: 'visit_reason', item: '上门事由', itemEn: 'Reason for a visit', remark: '运维人员到场登记' },
      entries: [
        ['例行巡检', 'Routine inspection'],
        ['故障维修', 'Repair', 'warning'],
        ['设备更换', 'Replacement'],
        ['迎检保障', 'Official inspection'],
      ],
    },
  ]

export const NOTES = [
  {
    release: PRODUCT_VERSION,
    title: '帮助、日志与法规',
    titleEn: 'Help, logs and laws',
    publishAt: '2026-10-12T01:00:00.000Z',
    content:
      '<ul><li>按 <code>h</code> 打开当前页面的帮助。</li><li>操作日志写明在哪个页面做了什么、成功还是被拒绝，并能看到改了哪些数据。</li><li>法律法规按版次管理，到施行日自动生效；条款可以从 Word 导入。</li></ul>',
    contentEn:
      '<ul><li>Press <code>h</code> for the help of the page in front.</li><li>The operation log says what was done on which page, whether it was done or refused, and what it changed.</li><li>Laws have editions that come into force on their day; clauses can be imported from Word.</li></ul>',
  },
  {
    release: '0.9.0',
    title: '车道看板可以用数字键操作',
    titleEn: 'The lane board works with number keys',
    publishAt: '2026-09-01T01:00:00.000Z',
    content: '<p>等待处理的车道不用鼠标也能放行：数字键就是卡片上的按钮，选好原因后回车确认。</p>',
    contentEn: '<p>A waiting lane can be worked without a mouse: the number keys are the buttons of its card; choose the reason and press Enter.</p>',
  },
]
