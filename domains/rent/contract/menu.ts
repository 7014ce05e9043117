import { ButtonType, type MenuEntry, screen } from '../../../platform/contract/menu.ts'

const at = 'parking:park:view'
/** The screens of the domain and what each needs; paths and names are the catalogue's. */
export const menu: MenuEntry[] = [
  screen(
    '/rent/attestation',
    'RentAttestationScreen',
    ['竞租人认证', 'Bidder verification'],
    ['rent:user:view'],
    [
      { code: 'edit', name: ['登记认证', 'Record bidder'], needs: 'rent:user:edit', type: ButtonType.primary },
      { code: 'audit', name: ['审核认证', 'Review verifications'], needs: 'rent:user:audit' },
      { code: 'delete', name: ['删除竞租人', 'Delete bidders'], needs: 'rent:user:delete' },
    ],
  ),
  screen(
    '/rent/announcement',
    'RentNoticeScreen',
    ['招租公告', 'Rental announcements'],
    ['rent:notice:view', 'rent:project:view'],
    [
      { code: 'edit', name: ['拟写公告', 'Write notice'], needs: 'rent:notice:edit', type: ButtonType.primary },
      { code: 'publish', name: ['发布与撤回公告', 'Publish and withdraw notices'], needs: 'rent:notice:publish' },
    ],
  ),
  screen(
    '/rent/project',
    'RentProjectScreen',
    ['租赁项目', 'Rental projects'],
    ['rent:project:view', at],
    [
      { code: 'edit', name: ['维护项目', 'Edit projects'], needs: 'rent:project:edit' },
      { code: 'terminate', name: ['终止项目', 'Terminate projects'], needs: 'rent:project:terminate' },
      { code: 'periods', name: ['设置流程期限', 'Set the periods'], needs: 'rent:period:edit' },
      { code: 'hold', name: ['领取开标密钥与开标', 'Take opening keys and open bids'], needs: 'rent:seal:hold' },
    ],
  ),
  screen(
    '/rent/enroll',
    'RentEnrollScreen',
    ['报名管理', 'Registrations'],
    ['rent:enroll:view', 'rent:project:view', 'rent:user:view'],
    [
      { code: 'edit', name: ['登记与放弃报名', 'Record and withdraw enrolments'], needs: 'rent:enroll:edit' },
      { code: 'audit', name: ['审核报名', 'Review enrolments'], needs: 'rent:enroll:audit' },
      { code: 'pay', name: ['收取保证金', 'Take earnest money'], needs: 'rent:enroll:pay' },
    ],
  ),
  screen(
    '/rent/earnestMoney',
    'RentEarnestScreen',
    ['保证金管理', 'Earnest money'],
    ['rent:enroll:view'],
    [{ code: 'refund', name: ['申请退还保证金', 'Request earnest money refunds'], needs: 'rent:enroll:refund' }],
  ),
  screen(
    '/rent/winTheBidding',
    'RentAwardScreen',
    ['定标管理', 'Awards'],
    ['rent:award:view', 'rent:project:view'],
    [
      { code: 'edit', name: ['定标与提出变更', 'Award and request changes'], needs: 'rent:award:edit' },
      { code: 'confirm', name: ['确认中标变更', 'Confirm award changes'], needs: 'rent:award:confirm' },
    ],
  ),
  screen(
    '/rent/contract',
    'RentContractScreen',
    ['合同管理', 'Contracts'],
    ['rent:award:view', 'rent:contract:view', 'rent:project:view'],
    [
      { code: 'edit', name: ['拟订与撤回合同', 'Draft and withdraw leases'], needs: 'rent:contract:edit', type: ButtonType.primary },
      { code: 'sign', name: ['签署与解约', 'Sign and end leases'], needs: 'rent:contract:sign' },
      { code: 'refund', name: ['申请退还押金', 'Request deposit refund'], needs: 'rent:contract:refund' },
    ],
  ),
  screen(
    '/rent/order',
    'RentOrderScreen',
    ['租金账单', 'Rent bills'],
    ['rent:award:view', 'rent:order:view', 'rent:contract:view'],
    [
      { code: 'pay', name: ['收取租金', 'Take rent payments'], needs: 'rent:bill:pay' },
      { code: 'waive', name: ['申请减免违约金', 'Request penalty waiver'], needs: 'rent:bill:waive' },
      { code: 'confirm', name: ['确认减免违约金', 'Confirm penalty waivers'], needs: 'rent:bill:confirm' },
    ],
  ),
]
