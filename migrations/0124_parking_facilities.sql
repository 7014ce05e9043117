-- Who asked for a park's filing: another person decides it.
alter table parking.park add filing_by uuid;

-- Calls from the help buttons of lanes, as the call centre tells them or as somebody wrote them down.
create table parking.call_out (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, gate_code text not null,
  call_id text not null, source smallint not null check (source in (1, 2)), caller text, agent text,
  start_at timestamptz not null, answer_at timestamptz, end_at timestamptz, wait_sec integer generated always as (case when answer_at is not null then greatest(0, floor(extract(epoch from answer_at - start_at)))::integer end) stored,
  result smallint check (result between 1 and 5), stay_id uuid, record_url text, remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, call_id), foreign key (enterprise_id, park_code) references parking.park (enterprise_id, park_code),
  foreign key (enterprise_id, gate_code) references parking.gate (enterprise_id, gate_code)
);
create index call_out_at on parking.call_out (enterprise_id, start_at desc, id desc);
create index call_out_gate on parking.call_out (enterprise_id, gate_code, start_at desc, id desc);
create index call_out_ringing on parking.call_out (enterprise_id, start_at) where result is null and answer_at is null;
select platform.scoped('parking.call_out');

-- The number under which another platform keeps a stay: told twice it is one record.
create table parking.third_record (
  enterprise_id integer not null default scope_enterprise(), platform text not null, third_no text not null, park_code text not null, stay_id uuid not null,
  primary key (enterprise_id, platform, third_no)
);
select platform.scoped('parking.third_record', audited => false, key => 'third_no');
