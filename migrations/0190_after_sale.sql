-- What customers and devices bring up: feedback, work orders with a time limit, interviews, evaluations, standard cases.
create schema after_sale;
select platform.opened('after_sale');

-- kind: 1 complaint, 2 suggestion, 3 praise, 4 question. state: 0 to be accepted, 1 accepted, 2 replied, 3 closed, 4 declined, 5 made into a work order.
create table after_sale.suggestion (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), suggest_no text not null default platform.business_no('JY'),
  kind smallint not null check (kind in (1, 2, 3, 4)), category text, source smallint not null check (source in (1, 2, 3, 4, 5)), contact_name text, phone text, plate_no text, park_code text,
  content text not null, images text, state smallint not null default 0 check (state in (0, 1, 2, 3, 4, 5)), accept_due_at timestamptz not null, reply_due_at timestamptz not null,
  handler_id uuid, handler_name text, accepted_at timestamptz, reason text, reply text, replied_at timestamptz, told_at timestamptz,
  result smallint check (result in (1, 2, 3, 4)), closed_at timestamptz, order_id uuid, order_no text, created_name text not null,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id), unique (enterprise_id, suggest_no),
  constraint accepted_at_all check (state in (0, 4, 5) or accepted_at is not null),
  constraint replied_with_words check (state not in (2, 3) or (reply is not null and replied_at is not null)),
  constraint closed_with_outcome check ((state = 3) = (result is not null and closed_at is not null)),
  constraint declined_because check (state <> 4 or reason is not null),
  constraint converted_to_an_order check ((state = 5) = (order_id is not null)));
create index suggestion_created on after_sale.suggestion (enterprise_id, created_at desc, id desc);
create index suggestion_due on after_sale.suggestion (enterprise_id, reply_due_at, id);
create index suggestion_phone on after_sale.suggestion (enterprise_id, phone, created_at desc);
create index suggestion_plate on after_sale.suggestion (enterprise_id, plate_no, created_at desc);
create unique index suggestion_order on after_sale.suggestion (enterprise_id, order_id) where order_id is not null;
select platform.scoped('after_sale.suggestion');
select platform.plates_found('after_sale.suggestion');

-- state: 0 to be assigned, 1 assigned, 2 in hand, 3 with the customer, 4 solved, 5 closed, 6 returned, 7 reopened, 8 cancelled.
-- `counted_from`: when the round that runs began; time limits and the warning move on by as much as the customer took. `source_key`: of what was reported by a device or a round, or of a bill that its driver objected to, one open order at a time.
-- `link_hash`: of the link that the customer was sent; the link itself is kept nowhere.
create table after_sale.work_order (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), order_no text not null default platform.business_no('GD'),
  title text not null, type smallint not null check (type in (1, 2, 3, 4, 5, 6, 7)), source smallint not null check (source in (1, 2, 3, 4, 5)), level smallint not null check (level in (1, 2, 3, 4)),
  content text not null, contact_name text, contact text, plate_no text, park_code text, images text, related_no text, device_no text, suggestion_id uuid,
  creator_id uuid, creator_name text not null, assignee_id uuid, assignee_name text, state smallint not null default 0 check (state in (0, 1, 2, 3, 4, 5, 6, 7, 8)),
  respond_due_at timestamptz not null, due_at timestamptz not null, responded_at timestamptz, solved_at timestamptz, closed_at timestamptz, reopens integer not null default 0 check (reopens >= 0),
  finding smallint check (finding in (1, 2)), remedy_kind smallint check (remedy_kind in (1, 2)), remedy_id uuid, remedy_no text, remedy_fen bigint,
  counted_from timestamptz not null, warn_at timestamptz not null, warned_at timestamptz, late_at timestamptz, escalated_at timestamptz, reminded_at timestamptz, source_key text, link_hash text, invited_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id), unique (enterprise_id, order_no),
  foreign key (enterprise_id, suggestion_id) references after_sale.suggestion (enterprise_id, id),
  constraint somebody_has_it check (state not in (1, 2, 3, 4) or assignee_id is not null),
  constraint assignee_has_a_name check ((assignee_id is null) = (assignee_name is null)),
  constraint solved_at_all check (state not in (4, 5) or solved_at is not null),
  constraint closed_at_all check ((state = 5) = (closed_at is not null)),
  constraint due_in_order check (respond_due_at <= due_at and counted_from <= respond_due_at),
  constraint one_remedy check ((remedy_id is null) = (remedy_kind is null) and (remedy_id is null) = (remedy_no is null)),
  constraint money_is_found_out check (state not in (4, 5) or type not in (4, 7) or coalesce(finding = 2 or (finding = 1 and remedy_id is not null), false)));
create index work_order_created on after_sale.work_order (enterprise_id, created_at desc, id desc);
create index work_order_due on after_sale.work_order (enterprise_id, due_at, id);
create index work_order_assignee on after_sale.work_order (enterprise_id, assignee_id, due_at);
create index work_order_creator on after_sale.work_order (enterprise_id, creator_id, created_at desc);
create index work_order_contact on after_sale.work_order (enterprise_id, contact, created_at desc);
create index work_order_plate on after_sale.work_order (enterprise_id, plate_no, created_at desc);
create index work_order_open on after_sale.work_order (enterprise_id, state, due_at) where state in (0, 1, 2, 3, 4, 6, 7);
create unique index work_order_remedy on after_sale.work_order (enterprise_id, remedy_id) where remedy_id is not null;
create unique index work_order_suggestion on after_sale.work_order (enterprise_id, suggestion_id) where suggestion_id is not null;
create unique index work_order_reported on after_sale.work_order (enterprise_id, source_key) where source_key is not null and state not in (5, 8);
create index work_order_source on after_sale.work_order (enterprise_id, source_key, created_at desc) where source_key is not null;
create unique index work_order_link on after_sale.work_order (enterprise_id, link_hash) where link_hash is not null;
select platform.scoped('after_sale.work_order', hidden => '{link_hash}');
select platform.plates_found('after_sale.work_order');

-- Every step of an order, in its order; nobody takes one back.
create table after_sale.step (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), order_id uuid not null, seq integer not null check (seq > 0), at timestamptz not null,
  event smallint not null check (event between 1 and 17), "from" smallint check ("from" between 0 and 8), "to" smallint check ("to" between 0 and 8), who_id uuid, who text not null, whom text,
  opinion text, images text, work_min integer not null default 0 check (work_min >= 0),
  unique (enterprise_id, order_id, seq), foreign key (enterprise_id, order_id) references after_sale.work_order (enterprise_id, id) on delete cascade);
create index step_who on after_sale.step (enterprise_id, who_id, order_id);
select platform.scoped('after_sale.step', audited => false, append_only => true);

-- A customer's word on an order, once.
create table after_sale.evaluation (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), order_id uuid not null, score smallint not null check (score between 1 and 5), content text, at timestamptz not null,
  unique (enterprise_id, order_id), foreign key (enterprise_id, order_id) references after_sale.work_order (enterprise_id, id));
create index evaluation_at on after_sale.evaluation (enterprise_id, at desc);
select platform.scoped('after_sale.evaluation', append_only => true);

-- How an order stands this moment. With the customer the clock stands still; what is solved or closed is late or not for good.
create view after_sale.order_line with (security_invoker = true) as
  select o.*,
    (case when o.state = 3 then 4
      when coalesce(o.solved_at, case when o.state = 8 then o.updated_at end, now()) > o.due_at then 3
      when o.state in (0, 1, 2, 6, 7) and now() > o.warn_at then 2 else 1 end)::smallint as sla_state,
    (case when o.responded_at is not null then case when o.responded_at <= o.respond_due_at then 1 else 2 end
      when o.state in (0, 1, 6, 7) and now() > o.respond_due_at then 2 else 0 end)::smallint as respond_state,
    e.score, e.at as scored_at, e.content as comment,
    -- What is worked on first: 0 urgent and over its time, 1 over its time, 2 urgent, 3 the others that wait for somebody, 4 with the customer or solved, 5 ended.
    (case when o.state in (5, 8) then 5 when o.state in (3, 4) then 4 when now() > o.due_at then case o.level when 4 then 0 else 1 end when o.level = 4 then 2 else 3 end)::smallint as urgency
  from after_sale.work_order o left join after_sale.evaluation e on e.enterprise_id = o.enterprise_id and e.order_id = o.id;
grant select on after_sale.order_line to kerbline_app;

-- target_type: 1 work order, 2 feedback. result: 0 to be asked, 1 asked, 2 not reached, 3 declined, 4 wrong number. way: 1 telephone, 2 text, 3 WeChat, 4 visit. solved: 1 yes, 2 no, 3 partly.
create table after_sale.interview (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), target_type smallint not null check (target_type in (1, 2)), target_id uuid not null, park_code text,
  way smallint not null default 1 check (way in (1, 2, 3, 4)), plan_at timestamptz not null, attempts integer not null default 0 check (attempts between 0 and 3), tried_on text,
  result smallint not null default 0 check (result in (0, 1, 2, 3, 4)), solved smallint check (solved in (1, 2, 3)), score smallint check (score between 1 and 5), content text,
  visitor_id uuid, visitor_name text, done_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  constraint asked_to_the_end check (result <> 1 or (solved is not null and score is not null)),
  constraint three_days check (result <> 2 or attempts = 3),
  constraint done_by_somebody check ((result = 0) = (done_at is null) and (result = 0 or visitor_id is not null)));
create unique index interview_once on after_sale.interview (enterprise_id, target_type, target_id) where result = 0;
create index interview_target on after_sale.interview (enterprise_id, target_type, target_id);
create index interview_plan on after_sale.interview (enterprise_id, plan_at desc, id desc);
create index interview_created on after_sale.interview (enterprise_id, created_at desc, id desc);
select platform.scoped('after_sale.interview');
create view after_sale.interview_line with (security_invoker = true) as
  select i.*, coalesce(o.order_no, s.suggest_no) as target_no, coalesce(o.title, left(s.content, 80)) as title, coalesce(o.contact_name, s.contact_name) as contact_name,
    coalesce(o.contact, s.phone) as contact, coalesce(o.assignee_name, s.handler_name) as handler_name
  from after_sale.interview i
    left join after_sale.work_order o on i.target_type = 1 and o.enterprise_id = i.enterprise_id and o.id = i.target_id
    left join after_sale.suggestion s on i.target_type = 2 and s.enterprise_id = i.enterprise_id and s.id = i.target_id;
grant select on after_sale.interview_line to kerbline_app;

-- state: 0 draft, 1 published, 2 withdrawn. category: the type of order that it solves.
create table after_sale.case (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), title text not null, category smallint not null check (category in (1, 2, 3, 4, 5, 6, 7)), content text not null, answer text,
  state smallint not null default 0 check (state in (0, 1, 2)), used integer not null default 0 check (used >= 0), last_used_at timestamptz, author_name text not null,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), unique (enterprise_id, id));
create unique index case_title on after_sale.case (enterprise_id, title);
create index case_created on after_sale.case (enterprise_id, created_at desc, id desc);
create index case_used on after_sale.case (enterprise_id, used desc, id desc);
select platform.scoped('after_sale.case');
select platform.binned('after_sale.case', title => 'title');
-- Of one order a case is counted once. A case that is named here cannot be deleted.
create table after_sale.case_use (
  enterprise_id integer not null default scope_enterprise(), case_id uuid not null, order_id uuid not null, at timestamptz not null, who text not null, primary key (enterprise_id, case_id, order_id),
  foreign key (enterprise_id, case_id) references after_sale.case (enterprise_id, id), foreign key (enterprise_id, order_id) references after_sale.work_order (enterprise_id, id) on delete cascade);
create index case_use_order on after_sale.case_use (enterprise_id, order_id);
select platform.scoped('after_sale.case_use', audited => false, append_only => true);
