/** A page of the shipped help. `key` stays for ever: by it a later release knows what it has shipped before. */
export interface ShippedPage {
  key: string
  within?: string
  title: readonly [zh: string, en: string]
  /** The screen that it explains. */
  screen?: string
  zh: string
  en: string
}

/** In the order of the tree; a chapter stands before its pages. */
export const PAGES: readonly ShippedPage[] = [
  {
    key: 'start',
    title: ['开始使用', 'Getting started'],
    screen: '/index',
    zh: `<p>左边是菜单，上面一排是打开的页面。页面一直保持您离开时的样子：查询条件、翻到第几页、打开的记录都在，关掉标签才释放。</p>
<ul><li><strong>找页面</strong>：按 <code>s</code> 或 <code>Ctrl-K</code>，输入名称或拼音首字母。</li><li><strong>看帮助</strong>：按 <code>h</code>，直接打开当前页面的说明。</li><li><strong>快捷键</strong>：按 <code>?</code>，列出当前页面能用的全部按键。</li></ul>
<p>右上角可以切换中英文、明暗主题；铃铛是未读消息，旁边的感叹号记着最近失败的请求和请求号，报修时把请求号一起告诉技术支持。</p>`,
    en: `<p>The menu is on the left; open pages are listed along the top. A page stays as you left it, with its search, page number and open record, until you close its tab.</p>
<ul><li><strong>Find a page</strong>: press <code>s</code> or <code>Ctrl-K</code> and type part of its name.</li><li><strong>Get help</strong>: press <code>h</code> to open the help for the current page.</li><li><strong>Shortcuts</strong>: press <code>?</code> for all keys of the current page.</li></ul>
<p>Switch language and light or dark theme at the top right. The bell shows unread messages; the mark beside it keeps recent failed requests with their request numbers. Give that number to support when you report a problem.</p>`,
  },
  {
    key: 'start.lists',
    within: 'start',
    title: ['列表怎么用', 'Working with lists'],
    zh: `<h3>查询</h3><p>最常用的三个条件摆在外面，其余在「更多」里。回车或点查询才会去取数据；条件写在地址栏里，复制地址发给同事，对方看到的是同一个结果。</p>
<h3>看一条记录</h3><p>点一行，详情从右侧打开，列表不动。<code>j</code>、<code>k</code> 换下一条、上一条，<code>Esc</code> 关闭。</p>
<h3>数量</h3><p>超过一千条时总数显示为 <code>1000+</code>，这样翻页才快。缩小条件就会显示准确的数。</p>
<h3>列与密度</h3><p>右上角可以选择显示哪些列、调整先后，也可以把行距收紧。这些选择只影响您自己。</p>
<h3>别人刚改过</h3><p>您保存时如果别人先改了同一条，系统不会覆盖：会并排显示对方改成了什么，您填的内容还在。</p>`,
    en: `<h3>Search</h3><p>The three most used criteria are always visible; the rest are under “More”. The list is loaded when you press Enter or click Search. The criteria are kept in the address, so a colleague who opens the address sees the same result.</p>
<h3>One record</h3><p>Click a row to open its details on the right; the list stays in place. <code>j</code> and <code>k</code> go to the next and previous record, <code>Esc</code> closes the details.</p>
<h3>Totals</h3><p>Above one thousand the total reads <code>1000+</code>, which keeps paging fast. Narrow the search to see the exact number.</p>
<h3>Columns and density</h3><p>At the top right, choose which columns to show and in which order, and how compact the rows are. These choices affect only you.</p>
<h3>Somebody saved first</h3><p>If somebody changed the same record before you saved, nothing is overwritten: their changes are shown side by side, and your input is kept.</p>`,
  },
  {
    key: 'start.password',
    within: 'start',
    title: ['登录与密码', 'Signing in and passwords'],
    zh: `<p>连续输错五次密码，账号锁定十五分钟，也可以请管理员解锁。闲置到规定时间会自动退出，离开座位前最好自己退出或锁屏。</p>
<p>密码由本人在右上角的菜单里修改。管理员重置后得到一次性密码，下次登录必须改掉；改密码会结束您在其他地方的会话。</p>`,
    en: `<p>After five wrong passwords the account is locked for fifteen minutes; an administrator can unlock it sooner. Idle sessions are signed out after the configured time. Sign out or lock the screen before you leave your desk.</p>
<p>Change your own password in the menu at the top right. When an administrator resets it, you get a one-time password that must be changed at the next sign-in. Changing the password ends your other sessions.</p>`,
  },
  {
    key: 'parking',
    title: ['停车运营', 'Parking operation'],
    zh: '',
    en: '',
  },
  {
    key: 'parking.board',
    within: 'parking',
    title: ['车道看板', 'Lane board'],
    screen: '/operation/laneBoard',
    zh: `<p>每条车道一张卡片：抓拍图、车牌、车是谁的（临停、月卡、白名单、黑名单、欠费）、系统为什么这样判断、停了多久、应收多少、道闸现在什么状态。</p>
<ol><li>卡片显示「等人工处理」时才需要人：先看图和车牌，不对就点<strong>修正车牌</strong>，系统会重新判断。</li><li>收现金点<strong>现金</strong>，确认收款后自动开闸；直接<strong>开闸</strong>要选原因，待缴的费用作免费、欠费还是已现金必须选清。</li><li>开闸指令的状态依次是排队、已发、已确认。设备离线时指令超过十秒就作废，不会在车走后突然开闸。</li></ol>
<p>数字键对应卡片上的按钮，不用鼠标也能值守。</p>`,
    en: `<p>One card per lane: picture, plate, type of car (temporary, pass, white list, black list, arrears), why the system decided as it did, how long it stayed, the amount due and the barrier state.</p>
<ol><li>You only need to act when a card says “Waiting for you”: compare picture and plate; if the plate is wrong, press <strong>Correct plate</strong> and the system decides again.</li><li>For cash press <strong>Cash</strong>: once you confirm it, the barrier opens by itself. <strong>Open</strong> needs a reason, and where a fee is due, whether it is free, arrears or paid in cash.</li><li>A command to open is queued, sent, then confirmed. If the device is offline it expires after ten seconds, so the barrier never opens unexpectedly after the car has gone.</li></ol>
<p>Number keys match the buttons on the card, so you can work the board without a mouse.</p>`,
  },
  {
    key: 'parking.stays',
    within: 'parking',
    title: ['停车记录与费用说明', 'Stays and how fees are calculated'],
    screen: '/operation/record/parking/parkingRecord',
    zh: `<p>一条停车记录从入场到离场，连同费用、付款、退款和每一次人工处理。点开记录看「为什么是这个价」：时间条按白天、夜间、免费、封顶分段，下面一行行列出起止、单价和金额，加起来就是应收，一分不差。</p>
<p>入场时间或车牌错了用「更正」，原记录冲销、新记录生成，两条都能查到。缺少入场的补录，长期不动的车用批量清场。</p>
<h3>车牌修正成了别人的车</h3><p>出口修正车牌时选错了车，结果另一辆车的记录被关闭、它其实还在场内：在那条已离场的记录上点「撤销离场」，按出口图片填实际离场的车牌。原记录作废，车恢复在场，从原入场时间接着计费；离场和出口收的钱记到实际离场的那辆车。收多了，在订单里申请退款；记了欠费的，先到欠费管理撤销。这次离场用掉的停车券、充电减免和共享车位预约不会恢复，需要时另行补偿。该车若已按「无入场记录」离场，撤销后把恢复的记录清场。</p>`,
    en: `<p>A stay runs from entry to exit, with its fee, payments, refunds and every manual action. Open one to see why it cost what it did: a time bar in bands (day, night, free, capped), and below it one line each with start, end, price and amount. The lines add up to the receivable exactly, to the fen.</p>
<p>Use “Correct” if the plate or entry time is wrong: the original stay is reversed and a new one is created, and both can be found later. Missing entries can be added afterwards; cars that never leave can be cleared in bulk.</p>
<h3>A plate was corrected to the wrong car</h3><p>If the wrong car was chosen at the exit, that car’s record is closed although it is still inside. On the closed record choose “Undo exit” and enter the plate that really left, as the exit picture shows it. The record is voided, its car is present again and charged from its own entry; the exit and what was paid there go to the car that left. Refund any excess from the order; revoke arrears under Arrears first. Coupons, charging waivers and shared-bay bookings that this exit used up are not restored: make up for them separately if needed. If the car has since left without an entry record, clear the restored one afterwards.</p>`,
  },
  {
    key: 'parking.income',
    within: 'parking',
    title: ['收入数字与对比', 'Income figures and comparing periods'],
    screen: '/operation/temporaryIncome',
    zh: `<p>每个数字旁的问号说明它算什么、按哪个时间、是否扣退款；同名的数字在看板、大屏、报表和导出里是同一个数。应收 = 实收 + 优惠 + 减免 + 欠费，净收 = 实收 − 退款。</p>
<ol><li>点<strong>对比</strong>，选一天、一周、一个月或任意一段时间（最长 92 天），再选与上一期、上周、上月还是去年同期相比。</li><li>期间还没结束时，对比期也只算到同一时刻，不会拿半天比一天。</li><li>「净收差在哪里」把差额拆成停车笔数、笔均费用、优惠、减免、欠费和退款，各项相加正好等于差额；下面按日、按车场、按收入类型列出两期。</li></ol>
<p>点任何数字打开它所含的记录；导出的表格逐日逐车场列出两期。</p>`,
    en: `<p>The question mark beside a figure says what it counts, by which time, and whether refunds are taken off. Figures of the same name are the same on dashboards, walls, reports and in exports. Receivable = paid + discount + waived + arrears; net = paid − refunded.</p>
<ol><li>Press <strong>Compare</strong>, choose a day, week, month or any period (up to 92 days), and compare it with the previous period or with the same days last week, last month or last year.</li><li>While a period is running, the other one counts up to the same time too: half a day is never compared with a whole one.</li><li>“What explains the change in net” splits the difference into number of stays, mean fee, discount, waived, arrears and refunded; the parts add up to it exactly. Below it, both periods stand side by side by day, park and kind of income.</li></ol>
<p>Each figure opens the records it is made of; the export lists both periods by day and park.</p>`,
  },
  {
    key: 'parking.gates',
    within: 'parking',
    title: ['通道与手动放行', 'Lanes and opening by hand'],
    screen: '/assetManage/parkingAndFacility/channel',
    zh: `<p>这里维护车场的出入口，也能在设备正常时远程开闸、常开、关闸和下发屏幕文字。手动放行必须选原因，操作人、时间、原因都记在「操作日志」里。通道停用后不再放行任何车。</p>`,
    en: `<p>Maintain the entrances and exits of parks here. While the device is online you can also open a gate remotely, keep it open, close it and send text to its sign. Opening by hand needs a reason; operator, time and reason are kept in the “Operation log”. A disabled gate lets no cars pass.</p>`,
  },
  {
    key: 'work',
    title: ['各项业务', 'Day-to-day work'],
    zh: '<p>路内、充电、月卡、对账、人员和路灯，一项一页，按要做的事来写。</p>',
    en: '<p>Roadside parking, charging, passes, clearing, staff and lamps: one page each, task by task.</p>',
  },
  {
    key: 'work.roadside',
    within: 'work',
    title: ['路内停车', 'Roadside parking'],
    screen: '/assetManage/roadParking/charging',
    zh: `<ul><li><strong>计费</strong>：在「路内收费规则绑定」中给路段绑定收费规则；没有绑定的路段不出费用。</li><li><strong>驶入驶离</strong>：由高位视频或手持机上报。看不清车牌的在「异常停车」里处理：确认、拆分或合并停车记录。</li><li><strong>费用</strong>：驶离后未缴的费用转为欠费，在欠费管理里补缴、提醒或申诉。</li><li><strong>违停</strong>：登记人和审核人不能是同一人；特种车辆应判为无效。</li></ul>`,
    en: `<ul><li><strong>Fees</strong>: link a fee rule to a section under “Fee rules by section”; without one a section has no fees.</li><li><strong>Arrivals and departures</strong> come from high-pole cameras or handhelds. Resolve unclear ones under “Problem stays”: confirm, split or merge the stays.</li><li><strong>Unpaid fees</strong> become arrears after the car has left: collect them, send reminders or handle appeals under Arrears.</li><li><strong>Illegal parking</strong>: whoever records a case cannot review it. Mark special vehicles invalid.</li></ul>`,
  },
  {
    key: 'work.charging',
    within: 'work',
    title: ['充电', 'Charging'],
    screen: '/recharge/chargingOrder/use',
    zh: `<ul><li><strong>查一笔充电</strong>：在「充电订单」打开记录，看预付、电量、分时价格、占位费和退回。</li><li><strong>停不下来</strong>：停止指令没有生效时系统会再次下发并通知值班人员；桩离线时请车主按桩上的停止键，电量以桩上电表为准。</li><li><strong>调整</strong>：负数退给付款人；正数按付款方式补收或减免。</li><li><strong>隐患</strong>：整改期间充电站不再启动新的充电。</li></ul>`,
    en: `<ul><li><strong>Look into a session</strong>: open it under “Charging sessions” to see prepayment, energy, prices by period, idle fee and what was returned.</li><li><strong>It will not stop</strong>: the request is sent again and the duty staff are told. If the pile is offline, ask the driver to press its stop button; its meter decides what is paid.</li><li><strong>Adjust a bill</strong>: a negative amount goes back to the payer. A positive one is collected or waived, depending on how it was paid.</li><li><strong>Safety hazards</strong>: the station starts no new sessions until the hazard is fixed.</li></ul>`,
  },
  {
    key: 'work.passes',
    within: 'work',
    title: ['月卡', 'Passes'],
    screen: '/operation/month/info',
    zh: `<ul><li><strong>先配置</strong>：在「月卡类型与套餐」里建月卡类型（可进哪些车场）和套餐（多久、多少钱）。</li><li><strong>办卡</strong>：在「月卡客户」选客户、套餐和车牌；收款后生效。</li><li><strong>换车牌</strong>：每张卡每月最多两次。</li><li><strong>退卡</strong>：申请后由另一人审核；审核期间不能续费，如需恢复请先驳回退卡。</li></ul>`,
    en: `<ul><li><strong>Set up first</strong>: under “Pass types and plans”, add pass types (which car parks) and plans (how long, how much).</li><li><strong>Sell a pass</strong>: under “Pass holders” choose customer, plan and plates. It is valid once paid.</li><li><strong>Change plates</strong>: twice a month per pass at most.</li><li><strong>Cancel a pass</strong>: another person reviews the request. Until then the pass cannot be renewed; reject the cancellation to restore it.</li></ul>`,
  },
  {
    key: 'work.clearing',
    within: 'work',
    title: ['渠道对账', 'Clearing'],
    zh: `<ol><li><strong>导入</strong>：导入支付渠道某一天的账单文件，系统逐笔核对。</li><li><strong>处理差异</strong>：长款是渠道有、平台没有的钱，可以补单或退回；短款是平台有、渠道没有的钱。处理和确认由两个人完成。</li><li><strong>关账</strong>：差异全部处理后关账。关账后这一天只读，更正记入当天。</li></ol>`,
    en: `<ol><li><strong>Import</strong> the payment channel’s file of a day. Every transaction is matched.</li><li><strong>Resolve differences</strong>: a surplus is money that only the channel has: add its order or refund it. A shortage is money that only the platform has. One person resolves, another confirms.</li><li><strong>Close the day</strong> once nothing is open. A closed day is read-only; corrections are posted on the current day.</li></ol>`,
  },
  {
    key: 'work.staff',
    within: 'work',
    title: ['收费员与收银班次', 'Collectors and cash shifts'],
    screen: '/assetManage/person/till',
    zh: `<ul><li><strong>打卡</strong>：须有定位，或在岗亭登录。忘记打卡的申请补卡。</li><li><strong>换班与请假</strong>：只能为自己的班次申请；换班要对方同意。</li><li><strong>交班</strong>：清点现金。有差异须写原因；超过 10 元由督导处理。没有接班人的交回公司核验。</li><li><strong>考勤锁定</strong>：当月结束、最后一个班次不能再打卡后才能锁定。</li></ul>`,
    en: `<ul><li><strong>Clock in</strong> with your location on, or signed in at a booth. If you forgot, request a missed punch.</li><li><strong>Swaps and leave</strong>: request them for your own shifts only; a swap needs your colleague’s consent.</li><li><strong>Hand over</strong>: count the cash. A difference needs a reason; above ¥10 a supervisor settles it. Without a taker the cash goes to the office for verification.</li><li><strong>Close a month</strong> once it is over and no shift of it can clock in or out.</li></ul>`,
  },
  {
    key: 'work.lamps',
    within: 'work',
    title: ['路灯', 'Street lamps'],
    screen: '/streetLamp/config',
    zh: `<ul><li><strong>照明定时</strong>：每个配电箱自带「默认程序」（日落开、日出关），不能修改；新增的定时优先于它。</li><li><strong>今晚怎么亮</strong>：看「逐夜计划」，它写明每晚采用哪个定时，没有采用的写明原因。</li><li><strong>远程电控</strong>：涉及多个配电箱时须输入箱数确认；手动开关保持到程序的下一次动作。</li><li><strong>告警</strong>：灭灯和白天亮灯分别报，处理后自动关联维修。</li></ul>`,
    en: `<ul><li><strong>Lighting programs</strong>: every box has a default program (on at sunset, off at sunrise) that cannot be changed. Programs that you add take precedence.</li><li><strong>Tonight</strong>: the nightly schedule shows which program applies, and why others do not.</li><li><strong>Remote switching</strong>: to switch several boxes, type their number. A switch by hand holds until the program’s next event.</li><li><strong>Alarms</strong> tell a lamp that is out from one that is lit when it should be off.</li></ul>`,
  },
  {
    key: 'admin',
    title: ['系统管理', 'Administration'],
    zh: '',
    en: '',
  },
  {
    key: 'admin.roles',
    within: 'admin',
    title: ['人员、角色与数据范围', 'People, roles and data scope'],
    screen: '/appManage/permission/roles',
    zh: `<p>权限给角色，角色给人。角色里勾选<strong>页面</strong>和页面上的<strong>按钮</strong>，再选数据范围：全部、本企业、本部门及下级、本部门、本人、指定车场。数据范围对列表、合计、导出、详情一样生效。</p>
<ul><li>谁也不能把自己没有的权限给别人。</li><li>最后一个管理员不能被停用或降权。</li><li>改动立即生效，对方不用重新登录。</li><li>手机号、邮箱默认只显示一部分，列表、详情、导出、变更历史都一样；要看完整内容，给角色勾选「查看完整的手机号、邮箱」，「员工管理」页和售后工单页都有。按完整手机号仍可查找。</li><li>车牌与车辆图片同理：角色要勾选「进出场记录」页的「查看完整车牌与车辆图片」才看得到完整内容，否则只显示一部分，也只能按完整车牌查找。</li></ul>`,
    en: `<p>Permissions go to roles, and roles to people. In a role, tick <strong>pages</strong> and the <strong>buttons</strong> on them, then choose the data scope: everything, own enterprise, own department and below, own department, own records, or chosen car parks. The data scope applies equally to lists, totals, exports and details.</p>
<ul><li>Nobody can grant permissions they do not have.</li><li>The last administrator cannot be disabled or lose the role.</li><li>Changes take effect at once; nobody has to sign in again.</li><li>Phone numbers and e-mail addresses are partly hidden by default in lists, details, exports and histories. To see them in full, a role needs the permission for full phone numbers and e-mail addresses, which stands on the “Users” page and on the work order pages. Searching by a full phone number still works.</li><li>The same applies to plates and car pictures: a role needs the permission for full plates and car pictures on the “Stays” page. Without it, plates are partly hidden and can only be found by the full plate.</li></ul>`,
  },
  {
    key: 'admin.dictionary',
    within: 'admin',
    title: ['字典', 'Dictionaries'],
    screen: '/appManage/config/dictionary',
    zh: `<p>字典给编码起名字。左边分两类：<strong>系统内置</strong>由程序决定，只能看；<strong>自建字典</strong>由您维护。</p>
<ol><li>点左上角加号新增类型，编码用英文，定了不能改。</li><li>选中类型，新增字典项。编码会存进业务记录，也不能改；名称、色调、排序随时可改。</li><li>不再使用的项请<strong>停用</strong>而不是删除：停用后不再供选择，老记录照常显示。</li></ol>
<p>保存后，所有打开的页面会自己换上新名称。</p>`,
    en: `<p>A dictionary gives names to codes. There are two kinds on the left: <strong>built-in</strong> dictionaries, fixed by the system and view only, and <strong>custom</strong> ones that you maintain.</p>
<ol><li>Click the plus sign at the top left to add a type. Its code is in English letters and cannot be changed later.</li><li>Choose a type and add entries. An entry’s code is stored in records and cannot be changed; its names, tone and sort order can be changed any time.</li><li>Put entries you no longer need <strong>out of use</strong> instead of deleting them: they are no longer offered, but old records still show them.</li></ol>
<p>After saving, all open pages show the new names automatically.</p>`,
  },
  {
    key: 'admin.region',
    within: 'admin',
    title: ['行政区划', 'Regions'],
    screen: '/appManage/basicInfo/region',
    zh: `<p>本省全部市、县按国家标准代码随系统提供。左边选一级，右边就是它的直接下级；点「下级」数字可以再往下走。新增时代码位数和开头由上级决定，页面会提示。有下级、或有车场位于其中的区划不能删除。</p>`,
    en: `<p>All cities and counties of the province are provided with their national standard codes. Choose a region on the left to list the regions directly below it; click the number under “Subregions” to go further down. When you add a region, the length and beginning of its code depend on its parent, as the form shows. A region that has subregions or parks in it cannot be deleted.</p>`,
  },
  {
    key: 'admin.law',
    within: 'admin',
    title: ['法律法规', 'Laws and regulations'],
    screen: '/appManage/basicData/law',
    zh: `<p>一部法规有若干<strong>版次</strong>，每版有自己的施行日期和条款。流程是：草稿 → 发布 → 到施行日自动现行有效，旧版自动变为已被修订；废止可以指定将来的日期。</p>
<p>草稿可以逐条录入，也可以<strong>导入</strong>：Word 文件按「第…条」自动拆开，「第…章」记为章节；表格第一行写 章节、条号、条文。导入前先预览，有一处错就一条也不写，除非您勾选跳过有误的行。</p>
<p>发布后条文不能再改，需要改时点「新建版次」，条款会整份复制过来。</p>`,
    en: `<p>A law has <strong>editions</strong>, each with its own effective date and clauses. A draft is published and comes into force automatically on its effective date; the previous edition is then superseded. A law can be repealed as of a future date.</p>
<p>Clauses of a draft can be entered one by one or <strong>imported</strong>: Word files are split at 第…条, with 第…章 as the chapter; the first row of a sheet must be 章节, 条号, 条文 (chapter, clause, text). You see a preview before importing; if there is any error nothing is written, unless you tick to skip the rows with errors.</p>
<p>Published text cannot be changed. To amend it, create a new edition: all clauses are copied into it.</p>`,
  },
  {
    key: 'admin.log',
    within: 'admin',
    title: ['日志与校验链', 'Logs and hash chain'],
    screen: '/appManage/system/operateLog',
    zh: `<ul><li><strong>操作日志</strong>：谁在哪个页面做了什么，成功、被拒绝还是出错，用了多久；点开看具体改了哪些数据。</li><li><strong>变更日志</strong>：每一条数据的每一次变更，包括设备和定时任务改的。查一条记录的来龙去脉，用对象和对象编号查。</li><li><strong>登录日志</strong>：成功和失败的登录。</li><li><strong>手持机日志</strong>：手持机自己上报的运行情况。</li></ul>
<p>日志只增不改。每天凌晨把前一天逐行计算校验码，并与前一天的链尾相连，所以事后改动、补写或抽走任何一行，页面左上的标记都会变红并指出是哪一天。链尾校验码每晚还会写到数据库之外的文件里：有人把整条链重算一遍，也会对不上。</p>
<p>手机号、邮箱、证件号在日志里打码；密码和令牌不会写进日志。</p>`,
    en: `<ul><li><strong>Operation log</strong>: who did what on which page, whether it succeeded, was refused or failed, and how long it took. Open a line to see which data it changed.</li><li><strong>Change log</strong>: every change to every record, including those by devices and scheduled jobs. To see the history of one record, search by record type and record id.</li><li><strong>Sign-in log</strong>: successful and failed sign-ins.</li><li><strong>Handheld log</strong>: runtime logs reported by collectors’ handhelds.</li></ul>
<p>Logs are append-only. Early each morning every line of the previous day is hashed and linked to the end of the chain. If any line is later changed, added or removed, the mark at the top left turns red and names the day. Each night the chain head is also written to a file outside the database, so a chain that has been recalculated as a whole does not match either.</p>
<p>Phone numbers, e-mail addresses and ID numbers are masked in logs; passwords and tokens are never logged.</p>`,
  },
  {
    key: 'admin.config',
    within: 'admin',
    title: ['系统配置', 'System configuration'],
    screen: '/appManage/system/config',
    zh: `<p>每个设置都写明作用和生效时间，超出范围的值存不进去。没有改过的显示「默认」；改过的显示谁在什么时候改的，可以一键恢复默认。所有修改都在「变更日志」里。</p>`,
    en: `<p>Each setting states what it does and when it takes effect; values out of range cannot be saved. Unchanged settings are marked “Default”; changed ones show who changed them and when, and can be reset to default with one click. All changes are in the “Change log”.</p>`,
  },
  {
    key: 'admin.help',
    within: 'admin',
    title: ['维护帮助与更新说明', 'Writing help and release notes'],
    screen: '/appManage/system/help',
    zh: `<p>帮助是一棵树，上级可以只当章节。填了「对应页面」的文档，使用者在该页面按 <code>h</code> 就会打开它。中英文分别填写，只填一种时另一种语言也显示它。草稿只有能编辑的人看得到。</p>
<p>更新说明发布后，每人下次登录时看到一次；之后仍可在帮助最下方的「更新说明」里查看。列表里的已读人数说明有多少人看过。</p>`,
    en: `<p>Help is a tree; a parent page may simply be a chapter. A page with a linked page opens when the user presses <code>h</code> there. Enter both languages; if one is missing, the other is shown. Drafts are visible only to those who may edit.</p>
<p>A published release note is shown to each user once, at the next sign-in, and stays at the end of the help. The list shows how many people have read it.</p>`,
  },
]
