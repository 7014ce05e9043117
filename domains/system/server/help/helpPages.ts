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
    en: `<p>The menu stands at the left, the pages that you have opened along the top. A page stays as you left it: the search, the page number, the open record. Closing its tab lets it go.</p>
<ul><li><strong>Find a page</strong>: press <code>s</code> or <code>Ctrl-K</code> and type a part of its name.</li><li><strong>Help</strong>: press <code>h</code>; it opens at the page that explains the screen in front.</li><li><strong>Keys</strong>: press <code>?</code> for all keys of the page.</li></ul>
<p>At the top right you change the language and the light or dark look. The bell has your unread messages; the mark beside it keeps the last refused requests with their numbers. Give that number to support when something fails.</p>`,
  },
  {
    key: 'start.lists',
    within: 'start',
    title: ['列表怎么用', 'Working with lists'],
    zh: `<h3>查询</h3><p>最常用的三个条件摆在外面，其余在「更多」里。回车或点查询才会去取数据；条件写在地址栏里，复制地址发给同事，对方看到的是同一个结果。</p>
<h3>看一条记录</h3><p>点一行，详情从右侧打开，列表不动。<code>j</code>、<code>k</code> 换下一条、上一条，<code>Esc</code> 关闭。</p>
<h3>数量</h3><p>超过一千条时总数显示为 <code>1000+</code>，这样翻页才快。缩小条件就会显示准确的数。</p>
<h3>列与密度</h3><p>右上角可以选择显示哪些列、调整先后，也可以把行距收紧。这些选择只影响您自己。</p>
<h3>别人刚改过</h3><p>您保存时如果别人先改了同一条，系统不会覆盖：会并排显示他改成了什么，您填的内容还在。</p>`,
    en: `<h3>Search</h3><p>The three criteria that are used most stand open, the others under “more”. The list asks on Enter or on the button. The search is in the address: send the address to a colleague and they see the same.</p>
<h3>One record</h3><p>Click a row; its story opens at the right and the list stays. <code>j</code> and <code>k</code> go to the next and the previous one, <code>Esc</code> closes it.</p>
<h3>Totals</h3><p>Beyond a thousand the total reads <code>1000+</code>, which keeps turning pages fast. A narrower search gives the exact number.</p>
<h3>Columns</h3><p>At the top right you choose which columns show and in which order, and how dense the rows are. The choice is yours alone.</p>
<h3>Somebody was faster</h3><p>If somebody changed the same record before you saved, nothing is overwritten: you see what they changed, and what you typed is still there.</p>`,
  },
  {
    key: 'start.password',
    within: 'start',
    title: ['登录与密码', 'Signing in and passwords'],
    zh: `<p>连续输错五次密码，账号锁定十五分钟，也可以请管理员解锁。闲置到规定时间会自动退出，离开座位前最好自己退出或锁屏。</p>
<p>密码由本人在右上角的菜单里修改。管理员重置后得到一次性密码，下次登录必须改掉；改密码会结束您在其他地方的会话。</p>`,
    en: `<p>After five wrong passwords the account is locked for fifteen minutes; an administrator can unlock it sooner. A session that is idle for the time that was set ends by itself. Sign out or lock the screen before you leave your seat.</p>
<p>You change your own password in the menu at the top right. An administrator’s reset gives a password for one use, which must be changed at the next sign-in. Changing it ends your sessions elsewhere.</p>`,
  },
  {
    key: 'parking',
    title: ['停车运营', 'Running car parks'],
    zh: '',
    en: '',
  },
  {
    key: 'parking.board',
    within: 'parking',
    title: ['车道看板', 'Lane board'],
    screen: '/operation/laneBoard',
    zh: `<p>每条车道一张卡片：抓拍图、车牌、车是谁的（临停、月卡、白名单、黑名单、欠费）、系统为什么这样判断、停了多久、应收多少、道闸现在什么状态。</p>
<ol><li>卡片变为「等待处理」时才需要人：先看图和车牌，不对就<strong>更正车牌</strong>，系统会重新判断。</li><li>收现金后点<strong>收款放行</strong>；免费放行要选原因，这笔费用作免费、欠费还是已收现金必须说清。</li><li>开闸指令的状态依次是已下发、已送达、已执行。设备离线时指令超过十秒就作废，不会在车走后突然开闸。</li></ol>
<p>数字键对应卡片上的按钮，不用鼠标也能值守。</p>`,
    en: `<p>A card for each lane: the picture, the plate, whose car it is (temporary, pass, white list, black list, arrears), why the system decided so, how long it stayed, what is due, and how the barrier stands.</p>
<ol><li>You are needed only when a card waits: compare picture and plate; if the plate is wrong, <strong>correct it</strong> and the system decides again.</li><li>After taking cash, press <strong>collect and open</strong>. Letting a car go free needs a reason, and you say what becomes of the fee: free, arrears, or paid in cash.</li><li>A command is queued, sent, then acknowledged. When the device is offline it expires after ten seconds, so that no barrier opens long after the car has gone.</li></ol>
<p>The number keys are the buttons of the card: the board can be worked without a mouse.</p>`,
  },
  {
    key: 'parking.stays',
    within: 'parking',
    title: ['停车记录与费用说明', 'Stays, and why they cost what they cost'],
    screen: '/operation/record/parking/parkingRecord',
    zh: `<p>一条停车记录从入场到离场，连同费用、付款、退款和每一次人工处理。点开记录看「为什么是这个价」：时间条按白天、夜间、免费、封顶分段，下面一行行列出起止、单价和金额，加起来就是应收，一分不差。</p>
<p>入场时间或车牌错了用「更正」，原记录冲销、新记录生成，两条都能查到。缺少入场的补录，长期不动的车用批量清场。</p>`,
    en: `<p>A stay runs from entry to exit, with its fee, its payments and refunds, and everything that people did to it. Open one and look at “why did it cost this”: a bar of its time in bands (day, night, free, capped), and below it a line for each with from, to, price and amount. They add up to what is due, to the fen.</p>
<p>A wrong plate or time is put right with “correct”: the wrong stay is reversed and a right one made, and both stay to be seen. A missing entry is added afterwards; cars that never leave are cleared together.</p>`,
  },
  {
    key: 'parking.gates',
    within: 'parking',
    title: ['通道与手动放行', 'Gates, and opening one by hand'],
    screen: '/assetManage/parkingAndFacility/channel',
    zh: `<p>这里维护车场的出入口，也能在设备正常时远程开闸、常开、关闸和下发屏幕文字。手动放行必须选原因，操作人、时间、原因都记在操作日志里。通道停用后不再放行任何车。</p>`,
    en: `<p>The entrances and exits of the parks. While the device is there you can open a gate, keep it open, close it and put words on its sign. Opening by hand needs a reason; who, when and why stand in the operation log. A disabled gate lets no car pass.</p>`,
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
    title: ['人员、角色与数据范围', 'People, roles and what they may see'],
    screen: '/appManage/permission/roles',
    zh: `<p>权限给角色，角色给人。角色里勾选<strong>页面</strong>和页面上的<strong>按钮</strong>，再选数据范围：全部、本企业、本部门及下级、本部门、本人、指定车场。数据范围对列表、合计、导出、详情一样生效。</p>
<ul><li>谁也不能把自己没有的权限给别人。</li><li>最后一个管理员不能被停用或降权。</li><li>改动立即生效，对方不用重新登录。</li><li>手机号、邮箱默认只显示一部分，列表、详情、导出、变更历史都一样；要看完整内容，给角色勾选员工管理页的「查看完整的手机号、邮箱」。按完整手机号仍可查找。</li><li>车牌与车辆图片同理：角色要勾选停车记录页的「查看完整车牌与车辆图片」才看得到完整内容，否则只显示一部分，也只能按完整车牌查找。</li></ul>`,
    en: `<p>Rights go to roles, and roles to people. In a role you tick <strong>pages</strong> and the <strong>buttons</strong> on them, then choose what data it sees: everything, the company, the department and below, the department, one’s own, or chosen parks. That holds for lists, totals, exports and details alike.</p>
<ul><li>Nobody can give what they do not have.</li><li>The last administrator cannot be disabled or lose the right.</li><li>A change holds at once; nobody has to sign in again.</li><li>Telephone numbers and mailboxes are shown in part only, in lists, details, exports and histories alike. To see them whole a role needs “See telephone numbers and mailboxes whole” of the staff page. The whole number still finds its person.</li><li>So it is with plates and pictures of cars: they need “See plates whole, and pictures of cars” of the parking records. Without it a plate is shown in part, and only a whole plate finds its car.</li></ul>`,
  },
  {
    key: 'admin.dictionary',
    within: 'admin',
    title: ['字典', 'Dictionaries'],
    screen: '/appManage/config/dictionary',
    zh: `<p>字典给编码起名字。左边分两类：<strong>系统内置</strong>由程序决定，只能看；<strong>自建字典</strong>由您维护。</p>
<ol><li>点左上角加号新增类型，编码用英文，定了不能改。</li><li>选中类型，新增字典项。编码会存进业务记录，也不能改；名称、色调、排序随时可改。</li><li>不再使用的项请<strong>停用</strong>而不是删除：停用后不再供选择，老记录照常显示。</li></ol>
<p>保存后，所有打开的页面会自己换上新名称。</p>`,
    en: `<p>A dictionary gives names to codes. At the left are two kinds: <strong>built in</strong>, which the program decides and nobody edits, and <strong>your own</strong>.</p>
<ol><li>The plus at the top adds a type. Its code is written in English letters and cannot change.</li><li>Choose the type and add entries. An entry’s code is kept in records and cannot change; names, tone and order can at any time.</li><li>Put an entry <strong>out of use</strong> rather than deleting it: it is offered no more, and old records still show its name.</li></ol>
<p>Once saved, every open page takes the new names by itself.</p>`,
  },
  {
    key: 'admin.region',
    within: 'admin',
    title: ['行政区划', 'Regions'],
    screen: '/appManage/basicInfo/region',
    zh: `<p>本省全部市、县按国家标准代码随系统提供。左边选一级，右边就是它的直接下级；点「下级」数字可以再往下走。新增时代码位数和开头由上级决定，页面会提示。有下级、或有车场位于其中的区划不能删除。</p>`,
    en: `<p>All cities and counties of the province come with the system under their national codes. Choose one at the left and the right part lists what lies directly in it; the number under “below” goes one step further down. A new code’s length and beginning follow from what it belongs to, as the form says. A region with others below it, or with a car park in it, cannot be deleted.</p>`,
  },
  {
    key: 'admin.law',
    within: 'admin',
    title: ['法律法规', 'Laws and regulations'],
    screen: '/appManage/basicData/law',
    zh: `<p>一部法规有若干<strong>版次</strong>，每版有自己的施行日期和条款。流程是：草稿 → 发布 → 到施行日自动现行有效，旧版自动变为已被修订；废止可以指定将来的日期。</p>
<p>草稿可以逐条录入，也可以<strong>导入</strong>：Word 文件按「第…条」自动拆开，「第…章」记为章节；表格第一行写 章节、条号、条文。导入前先预览，有一处错就一条也不写，除非您勾选跳过有误的行。</p>
<p>发布后条文不能再改，需要改时点「新建版次」，条款会整份复制过来。</p>`,
    en: `<p>A regulation has <strong>editions</strong>, each with the day from which it is in force and its own clauses. A draft is published; on its day it comes into force by itself and the earlier edition becomes superseded. It can be repealed for a day to come.</p>
<p>Clauses of a draft are written one by one or <strong>imported</strong>: the words of a Word file are cut at 第…条, with 第…章 as the chapter; a sheet’s first row names 章节, 条号, 条文 (chapter, clause, text). You see everything before it is written; if one place is wrong nothing is written, unless you tick to leave the wrong ones out.</p>
<p>Published words are settled. To change them, make a new edition: it begins with all clauses of this one.</p>`,
  },
  {
    key: 'admin.log',
    within: 'admin',
    title: ['日志与校验链', 'Logs and their chain'],
    screen: '/appManage/system/operateLog',
    zh: `<ul><li><strong>操作日志</strong>：谁在哪个页面做了什么，成功、被拒绝还是出错，用了多久；点开看具体改了哪些数据。</li><li><strong>变更日志</strong>：每一条数据的每一次变更，包括设备和定时任务改的。查一条记录的来龙去脉，用对象和对象编号查。</li><li><strong>登录日志</strong>：成功和失败的登录。</li><li><strong>PDA日志</strong>：手持机自己上报的运行情况。</li></ul>
<p>日志只增不改。每天凌晨把前一天逐行计算校验码，并与前一天的链尾相连，所以事后改动、补写或抽走任何一行，页面左上的标记都会变红并指出是哪一天。链尾校验码每晚还会写到数据库之外的文件里：有人把整条链重算一遍，也会对不上。</p>
<p>手机号、邮箱、证件号在日志里打码；密码和令牌不会写进日志。</p>`,
    en: `<ul><li><strong>Operation log</strong>: who did what on which page, whether it was done, refused or failed, and how long it took. Open a line to see what it changed.</li><li><strong>Change log</strong>: every change of every record, those by devices and timed jobs too. For the history of one record, search by what it is and its number.</li><li><strong>Sign-in log</strong>: who signed in, and who tried in vain.</li><li><strong>Handheld log</strong>: what the collectors’ handhelds report of themselves.</li></ul>
<p>Lines are only ever added. Each night the day before is hashed line by line and tied to the day before it. A line that is changed, added or taken out later turns the mark at the top left red and names the day. Each night the last link is also noted in a file outside the database, so that a chain somebody made anew does not fit either.</p>
<p>Telephone numbers, mailboxes and documents are covered; passwords and tokens are never written to a log.</p>`,
  },
  {
    key: 'admin.config',
    within: 'admin',
    title: ['系统配置', 'Configuration'],
    screen: '/appManage/system/config',
    zh: `<p>每个设置都写明作用和生效时间，超出范围的值存不进去。没有改过的显示「默认」；改过的显示谁在什么时候改的，可以一键恢复默认。所有修改都在变更日志里。</p>`,
    en: `<p>Each setting says what it does and from when; a value out of its bounds is not taken. What nobody has changed is marked “default”; what was changed shows who did and when, and can be set back. Every change is in the change log.</p>`,
  },
  {
    key: 'admin.help',
    within: 'admin',
    title: ['维护帮助与更新说明', 'Writing help and release notes'],
    screen: '/appManage/system/help',
    zh: `<p>帮助是一棵树，上级可以只当章节。填了「对应页面」的文档，使用者在该页面按 <code>h</code> 就会打开它。中英文分别填写，只填一种时另一种语言也显示它。草稿只有能编辑的人看得到。</p>
<p>更新说明发布后，每人下次登录时看到一次；之后仍可在帮助最下方的「更新说明」里查看。列表里的已读人数说明有多少人看过。</p>`,
    en: `<p>The help is a tree; a page with pages below it may be a mere chapter. A page that names a screen opens when somebody presses <code>h</code> there. Write both languages; when one is missing the other is shown. Drafts are seen only by those who may edit.</p>
<p>A published release note is shown to each person once, at the next sign-in, and stays at the end of the help. The list says how many have read it.</p>`,
  },
]
