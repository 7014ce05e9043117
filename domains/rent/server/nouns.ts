import { id, instant, whole } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { AwardChange, Bid } from '../contract/award.ts'
import { Bidder } from '../contract/bidder.ts'
import { Enrollment } from '../contract/enrollment.ts'
import { Bill, Contract } from '../contract/lease.ts'
import { RentNotice } from '../contract/notice.ts'
import { Periods } from '../contract/period.ts'
import { Project } from '../contract/project.ts'
import { SealPart, Sealed } from '../contract/seal.ts'

const auditorId = id('审核人编号', 'Reviewer (id)')
/** Names of the domain's rows in the logs, with the columns that no list shows. */
export const nouns: Noun[] = [
  { table: 'rent.bidder', entity: Bidder, also: { auditorId } },
  { table: 'rent.project', entity: Project, also: { leaderId: id('领先报名', 'Leading enrolment'), reminded: whole('提醒次数', 'Reminders') } },
  { table: 'rent.notice', entity: RentNotice, also: { publisherId: id('发布人编号', 'Publisher (id)') } },
  {
    table: 'rent.enrollment',
    entity: Enrollment,
    also: { auditorId, bidSeq: whole('出价序号', 'Bid number'), warnedAt: instant('提醒时间', 'Reminded at') },
  },
  {
    table: 'rent.bid',
    entity: Bid,
    also: {
      projectId: id('项目', 'Project'),
      enrollId: id('报名', 'Enrolment'),
      parkCode: Project.properties.parkCode,
      evidence: AwardChange.properties.evidence,
    },
  },
  { table: 'rent.seal_part', entity: SealPart },
  { table: 'rent.sealed', entity: Sealed },
  { table: 'rent.award_change', entity: AwardChange, also: { checkerId: id('确认人编号', 'Confirmed by (id)') } },
  { table: 'rent.contract', entity: Contract },
  { table: 'rent.periods', entity: Periods },
  { table: 'rent.bill', entity: Bill, also: { waiveCheckerId: id('减免确认人编号', 'Waiver decided by (id)') } },
]
