-- Drivers.
create schema owner;
select platform.opened('owner');

-- Drivers' accounts. status: 1 normal, 2 locked, 3 merged into another, 4 erased: its phone is free again, its money is history.
create table owner.account (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), phone text not null, nickname text not null, status smallint not null default 1 check (status between 1 and 4),
  lock_reason text, registered_at timestamptz not null, active_at timestamptz not null, merged_into uuid, erase_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, merged_into) references owner.account (enterprise_id, id), constraint merged_somewhere check ((status = 3) = (merged_into is not null)));
create unique index account_phone on owner.account (enterprise_id, phone) where status in (1, 2);
create index account_of_phone on owner.account (enterprise_id, phone);
create index account_registered on owner.account (enterprise_id, registered_at desc, id desc);
create index account_erase on owner.account (enterprise_id, erase_at) where erase_at is not null;
select platform.scoped('owner.account');

-- A plate that an owner says is theirs. verify_state: 0 waits, 1 verified, 2 rejected, 3 appealed or claimed by two, 4 unbound.
-- `slot` counts an owner's plates: five and no more, however many are bound at once. One owner of a vehicle is the verified one.
-- A claim on a plate that somebody has (`rival_id`) waits for them until `due_at`; what they say (`contest`) is decided by a person, another than who looked at it first.
create table owner.car (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), owner_id uuid not null, plate_no text not null, plate_color smallint not null check (plate_color between 0 and 7),
  vehicle_class smallint not null check (vehicle_class in (1, 2, 3, 4, 5, 6, 9)), verify_state smallint not null default 0 check (verify_state between 0 and 4), slot smallint check (slot between 1 and 5),
  vin text, auto_debit boolean not null default false, is_default boolean not null default false, remark text, proof smallint check (proof in (1, 2, 3)), images text, bind_at timestamptz not null, applied_at timestamptz not null, unbound_at timestamptz, unbind_reason text,
  verifier_id uuid, verifier_name text, verified_at timestamptz, verdict text, appeal text, appeal_images text, appealed_at timestamptz,
  rival_id uuid, due_at timestamptz, contest text, contested_at timestamptz, decider_id uuid, decider_name text, decided_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, owner_id) references owner.account (enterprise_id, id), foreign key (enterprise_id, rival_id) references owner.car (enterprise_id, id),
  constraint bound_in_a_slot check ((verify_state = 4) = (slot is null)), constraint debits_verified check (verify_state = 1 or not auto_debit),
  constraint decided_by_another check (decider_id is distinct from verifier_id or decider_id is null));
create unique index car_verified on owner.car (enterprise_id, plate_no, plate_color) where verify_state = 1;
create unique index car_vin on owner.car (enterprise_id, vin) where verify_state = 1 and vin is not null;
create unique index car_bound on owner.car (enterprise_id, owner_id, plate_no, plate_color) where verify_state <> 4;
create unique index car_slot on owner.car (enterprise_id, owner_id, slot) where verify_state <> 4;
create unique index car_default on owner.car (enterprise_id, owner_id) where is_default and verify_state <> 4;
create index car_plate on owner.car (enterprise_id, plate_no, bind_at desc);
create index car_bind on owner.car (enterprise_id, bind_at desc, id desc);
create index car_applied on owner.car (enterprise_id, applied_at, id);
create index car_due on owner.car (enterprise_id, due_at) where verify_state = 3 and contested_at is null and rival_id is not null;
select platform.scoped('owner.car');
select platform.plates_found('owner.car');

-- A driver's permission to take the fees of a car at WeChat (pay_method 1) or Alipay (2) without being asked each time. state: 0 being signed, 1 in force, 2 to be ended at the channel, 3 over.
-- A car has one at a time.
create table owner.agreement (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), car_id uuid not null, contract_no text not null generated always as ('DK' || replace(id::text, '-', '')) stored,
  pay_method smallint not null check (pay_method in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 99)) constraint at_a_channel check (pay_method <= 2), agreement_no text, state smallint not null default 0 check (state between 0 and 3), signed_at timestamptz, ended_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, car_id) references owner.car (enterprise_id, id), constraint signed_some_time check (state <> 1 or signed_at is not null), constraint ended_some_time check ((state = 3) = (ended_at is not null)));
create unique index agreement_open on owner.agreement (enterprise_id, car_id) where state in (0, 1);
create unique index agreement_contract on owner.agreement (enterprise_id, contract_no);
create index agreement_unfinished on owner.agreement (enterprise_id, updated_at) where state in (0, 2);
select platform.scoped('owner.agreement');

-- A car with whom it belongs to, and whom a claim on it is against.
create view owner.bound_car with (security_invoker = true) as
  select c.*, (select g.pay_method from owner.agreement g where g.enterprise_id = c.enterprise_id and g.car_id = c.id and g.state = 1) as debit_method, a.nickname, a.phone, r.owner_id as rival_owner_id, b.nickname as rival_name, b.phone as rival_phone
  from owner.car c join owner.account a on a.enterprise_id = c.enterprise_id and a.id = c.owner_id
    left join owner.car r on r.enterprise_id = c.enterprise_id and r.id = c.rival_id left join owner.account b on b.enterprise_id = r.enterprise_id and b.id = r.owner_id;
grant select on owner.bound_car to kerbline_app;

-- Stored value: what was paid (principal) and what was given (bonus). kind: 1 an owner's account, 2 a park card. Its id is its sub-account in the ledger, which says the same.
-- What is frozen waits for a refund, or is set aside for a charge. `seq` numbers its movements.
create table owner.purse (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), kind smallint not null check (kind in (1, 2)), owner_id uuid,
  principal_fen bigint not null default 0, bonus_fen bigint not null default 0, frozen_principal_fen bigint not null default 0, frozen_bonus_fen bigint not null default 0, seq integer not null default 0,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, owner_id) references owner.account (enterprise_id, id),
  constraint principal_covers check (frozen_principal_fen between 0 and principal_fen), constraint bonus_covers check (frozen_bonus_fen between 0 and bonus_fen),
  constraint account_is_owned check (kind = 2 or owner_id is not null));
create unique index purse_account on owner.purse (enterprise_id, owner_id) where kind = 1;
create index purse_owner on owner.purse (enterprise_id, owner_id);
select platform.scoped('owner.purse', audited => false);

-- What of a purse is set aside for a charge that runs, by the number of its hold: a part of what is frozen. What is over has no row.
create table owner.charge_hold (
  enterprise_id integer not null default scope_enterprise(), hold_no text not null, purse_id uuid not null, principal_fen bigint not null check (principal_fen >= 0), bonus_fen bigint not null check (bonus_fen >= 0),
  primary key (enterprise_id, hold_no), foreign key (enterprise_id, purse_id) references owner.purse (enterprise_id, id));
create index charge_hold_purse on owner.charge_hold (enterprise_id, purse_id);
select platform.scoped('owner.charge_hold', audited => false);

-- Every change of a purse, with what stood in it afterwards. kind: 1 recharge, 2 bonus, 3 spent (and given back), 4 refund, 5 frozen, 6 unfrozen, 7 bonus taken back, 8 merged.
-- `whose` is who has the name and the telephone of it: its owner, or a card that is nobody's. Lists find by it those that have a telephone.
create table owner.movement (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), purse_id uuid not null, seq integer not null, owner_id uuid, kind smallint not null check (kind between 1 and 8),
  principal_fen bigint not null default 0, bonus_fen bigint not null default 0, frozen_fen bigint not null default 0,
  amount_fen bigint not null generated always as (case when kind in (5, 6) then frozen_fen else principal_fen + bonus_fen end) stored,
  principal_after_fen bigint not null, bonus_after_fen bigint not null, frozen_after_fen bigint not null,
  biz_no text not null, order_id uuid, plate_no text, plate_color smallint check (plate_color between 0 and 7), park_code text not null, pay_method smallint, operator_name text, remark text, at timestamptz not null,
  whose uuid not null generated always as (coalesce(owner_id, purse_id)) stored, primary key (enterprise_id, id), foreign key (enterprise_id, purse_id) references owner.purse (enterprise_id, id),
  constraint moves_something check (principal_fen <> 0 or bonus_fen <> 0 or frozen_fen <> 0),
  constraint after_is_whole check (principal_after_fen >= 0 and bonus_after_fen >= 0 and frozen_after_fen between 0 and principal_after_fen + bonus_after_fen));
create unique index movement_seq on owner.movement (enterprise_id, purse_id, seq);
create index movement_at on owner.movement (enterprise_id, at desc, id desc);
create index movement_whose on owner.movement (enterprise_id, whose, at desc, id desc);
create index movement_owner on owner.movement (enterprise_id, owner_id, at desc, id desc);
create index movement_kind on owner.movement (enterprise_id, kind, at desc, id desc);
create index movement_order on owner.movement (enterprise_id, order_id) where order_id is not null;
select platform.scoped('owner.movement', audited => false, append_only => true);
select platform.plates_found('owner.movement');
-- A merged owner's movements are the other's from then on.
grant update (owner_id) on owner.movement to kerbline_app;

-- A recharge activity. Whether it has begun or ended follows from its dates; stopped is said by a person. Tiers: [{"payFen": 10000, "bonusFen": 2000}], rising.
create table owner.activity (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, tiers jsonb not null, start_at timestamptz not null, end_at timestamptz not null,
  per_user_times integer check (per_user_times > 0), pay_methods jsonb not null default '[]', stopped boolean not null default false, remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  constraint ends_after_start check (end_at > start_at), constraint has_tiers check (jsonb_typeof(tiers) = 'array' and jsonb_array_length(tiers) between 1 and 10));
create index activity_start on owner.activity (enterprise_id, start_at desc, id desc);
select platform.scoped('owner.activity');
select platform.uncounted('owner.activity');

-- A recharge: an order of type 4, and what it gave when it was paid. What went back of it is counted here, so that no recharge goes back twice.
create table owner.recharge (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), order_id uuid not null, order_no text not null, purse_id uuid not null, owner_id uuid,
  principal_fen bigint not null check (principal_fen > 0), bonus_fen bigint not null default 0 check (bonus_fen >= 0), activity_id uuid, pay_method smallint, state smallint not null default 0 check (state in (0, 1)),
  refund_fen bigint not null default 0, clawed_fen bigint not null default 0, made_at timestamptz not null, paid_at timestamptz, primary key (enterprise_id, id),
  foreign key (enterprise_id, order_id) references settlement.order (enterprise_id, id), foreign key (enterprise_id, purse_id) references owner.purse (enterprise_id, id),
  foreign key (enterprise_id, activity_id) references owner.activity (enterprise_id, id), constraint refund_within check (refund_fen between 0 and principal_fen));
create unique index recharge_order on owner.recharge (enterprise_id, order_id);
create index recharge_purse on owner.recharge (enterprise_id, purse_id, paid_at desc);
create index recharge_activity on owner.recharge (enterprise_id, activity_id) where activity_id is not null;
select platform.scoped('owner.recharge', audited => false);

create view owner.offer with (security_invoker = true) as
  select a.*, case when a.stopped then 3 when a.start_at > now() then 0 when a.end_at <= now() then 2 else 1 end::smallint as status,
    coalesce(u.uses, 0)::integer as uses, coalesce(u.paid_fen, 0)::bigint as paid_fen, coalesce(u.bonus_fen, 0)::bigint as bonus_fen
  from owner.activity a left join lateral (select count(*) as uses, sum(r.principal_fen) as paid_fen, sum(r.bonus_fen) as bonus_fen from owner.recharge r
    where r.enterprise_id = a.enterprise_id and r.activity_id = a.id and r.state = 1) u on true;
grant select on owner.offer to kerbline_app;

-- Park cards. status: 1 normal, 2 frozen, 3 cancelled, 4 lost. A replaced card keeps its purse under a new number. `plates` says what stands in owner.card_plate as one text, which a list of cards finds by any part of it.
create sequence owner.card_number;
create table owner.card (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), card_no text not null default '88' || lpad(nextval('owner.card_number')::text, 8, '0'), former_no text, purse_id uuid not null,
  owner_id uuid, holder text not null, phone text not null, plates text not null default '', park_codes jsonb not null default '[]', status smallint not null default 1 check (status between 1 and 4), remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, purse_id) references owner.purse (enterprise_id, id), foreign key (enterprise_id, owner_id) references owner.account (enterprise_id, id));
create unique index card_no on owner.card (enterprise_id, card_no);
create unique index card_purse on owner.card (enterprise_id, purse_id);
create index card_created on owner.card (enterprise_id, created_at desc, id desc);
create index card_phone on owner.card (enterprise_id, phone);
create index card_plates on owner.card using gin (plates gin_trgm_ops);
select platform.scoped('owner.card', hidden => '{plates}');
select platform.uncounted('owner.card');

-- The counter types no colour: one that the plate's form does not tell is unknown, and matches any.
create table owner.card_plate (
  enterprise_id integer not null default scope_enterprise(), card_id uuid not null, slot smallint not null check (slot between 1 and 5), plate_no text not null, plate_color smallint check (plate_color between 0 and 7),
  primary key (enterprise_id, card_id, slot), foreign key (enterprise_id, card_id) references owner.card (enterprise_id, id));
create unique index card_plate_once on owner.card_plate (enterprise_id, card_id, plate_no);
create index card_plate_no on owner.card_plate (enterprise_id, plate_no);
select platform.scoped('owner.card_plate', audited => false);

-- A card has its purse. Joined so, a deep page of cards passes by those before it without theirs.
create view owner.park_card with (security_invoker = true) as
  select c.*, p.principal_fen, p.bonus_fen, (p.principal_fen + p.bonus_fen)::bigint as balance_fen, (p.frozen_principal_fen + p.frozen_bonus_fen)::bigint as frozen_fen
  from owner.card c left join owner.purse p on p.enterprise_id = c.enterprise_id and p.id = c.purse_id;
grant select on owner.park_card to kerbline_app;

-- Stored value on its way back. state: 0 waits, 1 first review passed, 2 second passed, 3 being paid, 4 paid, 5 rejected, 6 failed. Three persons: who asked, and two who reviewed.
-- amount = principal that goes; clawback = bonus that goes with it; shortfall = bonus that was spent already, taken off the payment.
create table owner.refund (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), refund_no text not null, purse_id uuid not null, owner_id uuid, card_no text, park_code text not null default 'ALL',
  amount_fen bigint not null check (amount_fen > 0), clawback_fen bigint not null check (clawback_fen >= 0), shortfall_fen bigint not null check (shortfall_fen >= 0),
  pay_fen bigint not null generated always as (amount_fen - shortfall_fen) stored check (amount_fen - shortfall_fen >= 0), done_fen bigint not null default 0 check (done_fen >= 0),
  reason text not null, state smallint not null default 0 check (state between 0 and 6), applicant_id uuid not null, applicant_name text not null, applied_at timestamptz not null,
  first_id uuid, first_name text, first_verdict text, first_at timestamptz, second_id uuid, second_name text, second_verdict text, second_at timestamptz, finished_at timestamptz, failure text,
  whose uuid generated always as (case when card_no is null then owner_id else purse_id end) stored,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, purse_id) references owner.purse (enterprise_id, id),
  constraint maker_is_not_first check (first_id is distinct from applicant_id), constraint maker_is_not_second check (second_id is distinct from applicant_id),
  constraint two_reviewers check (first_id is null or second_id is distinct from first_id), constraint reviewed_twice check (state not in (2, 3, 4) or (first_id is not null and second_id is not null)));
create unique index refund_no on owner.refund (enterprise_id, refund_no);
create unique index refund_open on owner.refund (enterprise_id, purse_id) where state in (0, 1, 2, 3);
create index refund_applied on owner.refund (enterprise_id, applied_at desc, id desc);
create index refund_whose on owner.refund (enterprise_id, whose, applied_at desc, id desc);
create index refund_state on owner.refund (enterprise_id, state, applied_at desc, id desc);
select platform.scoped('owner.refund', hidden => '{whose}');

-- Who has a name and a telephone, as movements and refunds say whose they are.
create view owner.holder with (security_invoker = true) as
  select enterprise_id, id as whose, phone, nickname as holder from owner.account union all select enterprise_id, purse_id, phone, holder from owner.card;
grant select on owner.holder to kerbline_app;

-- A refund with whom it is for: they keep their name and telephone themselves, so that whoever is erased is erased here too.
create view owner.asked_refund with (security_invoker = true) as
  select r.*, coalesce(c.holder, a.nickname) as holder, coalesce(c.phone, a.phone) as phone
  from owner.refund r left join owner.card c on c.enterprise_id = r.enterprise_id and c.purse_id = r.purse_id left join owner.account a on a.enterprise_id = r.enterprise_id and a.id = r.owner_id;
grant select on owner.asked_refund to kerbline_app;

-- Which recharges go back, newest first. route: 1 the way it came, 2 by transfer, with its slip. state: 0 waits, 1 being paid, 2 paid, 3 failed.
create table owner.refund_part (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), refund_id uuid not null, recharge_id uuid not null, amount_fen bigint not null check (amount_fen > 0),
  clawback_fen bigint not null check (clawback_fen >= 0), shortfall_fen bigint not null check (shortfall_fen >= 0), pay_fen bigint not null generated always as (amount_fen - shortfall_fen) stored check (amount_fen - shortfall_fen >= 0),
  route smallint not null check (route in (1, 2)), state smallint not null default 0 check (state between 0 and 3), order_refund_id uuid, slip text, transfer_no text, done_at timestamptz, failure text,
  primary key (enterprise_id, id), foreign key (enterprise_id, refund_id) references owner.refund (enterprise_id, id), foreign key (enterprise_id, recharge_id) references owner.recharge (enterprise_id, id));
create unique index part_once on owner.refund_part (enterprise_id, refund_id, recharge_id);
create unique index part_order_refund on owner.refund_part (enterprise_id, order_refund_id) where order_refund_id is not null;
select platform.scoped('owner.refund_part', audited => false);

-- An owner was last active when their money last moved, or when they registered. What is asked for each owner is asked among the columns: whoever counts owners, or passes them by, does not ask it.
create view owner.profile with (security_invoker = true) as
  select a.id as owner_id, a.enterprise_id, a.phone, a.nickname, a.status, a.lock_reason, a.registered_at, a.erase_at, a.version,
    greatest(a.active_at, (select m.at from owner.movement m where m.enterprise_id = a.enterprise_id and m.owner_id = a.id order by m.at desc limit 1)) as active_at,
    (select count(*) from owner.car c where c.enterprise_id = a.enterprise_id and c.owner_id = a.id and c.verify_state <> 4)::integer as cars,
    (select count(*) from owner.car c where c.enterprise_id = a.enterprise_id and c.owner_id = a.id and c.verify_state = 1)::integer as verified,
    coalesce((select p.principal_fen + p.bonus_fen from owner.purse p where p.enterprise_id = a.enterprise_id and p.owner_id = a.id and p.kind = 1), 0)::bigint as stored_fen
  from owner.account a;
grant select on owner.profile to kerbline_app;

-- A movement with whose it is; `latest` is what stands in an owner's account now. In the brackets, for as conditions of the join PostgreSQL expects one row of it and joins all to sort them. It has its purse; a driver who sees the one and not the other is shown neither, by whoever asks for them.
create view owner.asset with (security_invoker = true) as
  select m.*, p.kind as purse_kind, c.card_no, coalesce(a.nickname, c.holder) as holder, coalesce(a.phone, c.phone) as phone, coalesce(p.kind = 1 and m.seq = p.seq and p.owner_id = m.owner_id, false) as latest, (m.principal_after_fen + m.bonus_after_fen)::bigint as balance_after_fen
  from owner.movement m left join owner.purse p on p.enterprise_id = m.enterprise_id and p.id = m.purse_id left join owner.account a on a.enterprise_id = m.enterprise_id and a.id = m.owner_id
    left join owner.card c on c.enterprise_id = m.enterprise_id and c.purse_id = m.purse_id;
grant select on owner.asset to kerbline_app;

-- Codes that were sent. Each is good once, for whoever asked for it (nonce_hash), until it is over or was tried too often.
create table owner.door_code (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), phone text not null, code_hash bytea not null, nonce_hash bytea not null, address text not null,
  sent_at timestamptz not null, expires_at timestamptz not null, tries smallint not null default 0 check (tries between 0 and 5), used_at timestamptz, primary key (enterprise_id, id),
  constraint over_after_sent check (expires_at > sent_at));
create index door_code_phone on owner.door_code (enterprise_id, phone, sent_at desc);
create index door_code_address on owner.door_code (enterprise_id, address, sent_at desc);
create index door_code_sent on owner.door_code (enterprise_id, sent_at);
select platform.scoped('owner.door_code', audited => false);

create table owner.session (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), owner_id uuid not null, token_hash bytea not null, ip text not null,
  started_at timestamptz not null, seen_at timestamptz not null, expires_at timestamptz not null, ended_at timestamptz, primary key (enterprise_id, id),
  foreign key (enterprise_id, owner_id) references owner.account (enterprise_id, id), constraint ends_after_start check (expires_at > started_at));
create unique index session_token on owner.session (token_hash);
create index session_owner on owner.session (enterprise_id, owner_id);
create index session_expires on owner.session (enterprise_id, expires_at);
select platform.scoped('owner.session', audited => false);

-- The company whose door it is, by its number; nothing where there is none, or it is closed.
create function owner.door_of(company integer) returns text stable language sql security definer set search_path = '' begin atomic
  select name from identity.enterprise where id = company and status = 1; end;
-- The driver behind a token, or no row. An owner who is locked, merged or erased is signed in no more.
create function owner.session_actor(token bytea, idle interval, out session_id uuid, out owner_id uuid, out nickname text, out enterprise integer)
language plpgsql security definer set search_path = '' as $$
begin
  select s.id, a.id, a.nickname, a.enterprise_id into session_id, owner_id, nickname, enterprise
    from owner.session s join owner.account a on a.enterprise_id = s.enterprise_id and a.id = s.owner_id join identity.enterprise e on e.id = s.enterprise_id
    where s.token_hash = token and s.ended_at is null and s.expires_at > now() and s.seen_at > now() - idle and a.status = 1 and e.status = 1;
  update owner.session s set seen_at = now() where s.id = session_id and s.seen_at < now() - interval '5 minutes';
end $$;
grant execute on function owner.door_of(integer), owner.session_actor(bytea, interval) to kerbline_app;

-- What a driver's session sees of these tables is their own. The question stands within the brackets: PostgreSQL then expects half of the rows, and not one in two hundred, and walks an index for a page of a list.
create policy own on owner.account as restrictive using ((select scope_driver() is null) or id = (select scope_driver()));
create policy own on owner.car as restrictive using ((select scope_driver() is null) or owner_id = (select scope_driver()));
create policy own on owner.agreement as restrictive using ((select scope_driver() is null) or exists (select from owner.car c where c.enterprise_id = agreement.enterprise_id and c.id = car_id and c.owner_id = (select scope_driver())));
create policy own on owner.purse as restrictive using ((select scope_driver() is null) or owner_id = (select scope_driver()));
create policy own on owner.movement as restrictive using ((select scope_driver() is null) or owner_id = (select scope_driver()));
create policy own on owner.recharge as restrictive using ((select scope_driver() is null) or owner_id = (select scope_driver()));
create policy own on owner.card as restrictive using ((select scope_driver() is null) or owner_id = (select scope_driver()));
create policy own on owner.refund as restrictive using ((select scope_driver() is null) or owner_id = (select scope_driver()));
create policy own on owner.session as restrictive using ((select scope_driver() is null) or owner_id = (select scope_driver()));
create policy own on owner.charge_hold as restrictive using ((select scope_driver() is null));
create policy own on owner.door_code as restrictive using ((select scope_driver() is null));

-- Until when the driver of a car may object to another's claim on its plate; the claim itself is none of theirs to see.
create function owner.claimed_until(which uuid) returns timestamptz stable language sql security definer set search_path = '' begin atomic
  select min(r.due_at) from owner.car c join owner.car r on r.enterprise_id = c.enterprise_id and r.rival_id = c.id and r.verify_state = 3 and r.contested_at is null
    where c.enterprise_id = public.scope_enterprise() and c.id = which and c.owner_id = public.scope_driver(); end;
grant execute on function owner.claimed_until(uuid) to kerbline_app;
