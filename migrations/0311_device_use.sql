-- How long each device worked and how long it was faulty, where it stood then: what failure rates are counted from. phase: 1 works, 2 faulty or in repair, 3 neither (waiting, in the store, scrapped).
create table inspection.use_span (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), device_no text not null, type smallint not null, park_code text, phase smallint not null check (phase in (1, 2, 3)),
  from_at timestamptz not null, to_at timestamptz, primary key (enterprise_id, id), check (from_at <= to_at),
  foreign key (enterprise_id, device_no) references device.device (enterprise_id, device_no) on delete cascade on update cascade);
create unique index use_span_open on inspection.use_span (enterprise_id, device_no) where to_at is null;
create index use_span_device on inspection.use_span (enterprise_id, device_no, from_at);
create index use_span_park on inspection.use_span (enterprise_id, park_code, from_at);
select platform.scoped('inspection.use_span', audited => false, append_only => true);

create function inspection.phase_of(use_status smallint) returns smallint immutable language sql as $$ select (case when use_status = 1 then 1 when use_status in (2, 5) then 2 else 3 end)::smallint $$;
insert into inspection.use_span (enterprise_id, device_no, type, park_code, phase, from_at)
  select enterprise_id, device_no, type, park_code, inspection.phase_of(use_status), created_at from device.device;

-- A device that goes on as it was, where it was, begins nothing new.
create function inspection.use_changed() returns trigger language plpgsql security definer set search_path = '' as $$
declare since timestamptz := case when tg_op = 'INSERT' then new.created_at when new.updated_at > old.updated_at then new.updated_at else now() end;
begin
  if tg_op = 'UPDATE' then
    if inspection.phase_of(new.use_status) = inspection.phase_of(old.use_status) and new.park_code is not distinct from old.park_code and new.type = old.type then return null; end if;
    update inspection.use_span set to_at = greatest(since, from_at) where enterprise_id = new.enterprise_id and device_no = new.device_no and to_at is null returning to_at into since;
  end if;
  insert into inspection.use_span (enterprise_id, device_no, type, park_code, phase, from_at) values (new.enterprise_id, new.device_no, new.type, new.park_code, inspection.phase_of(new.use_status), coalesce(since, now()));
  return null;
end $$;
create trigger use_changed after insert or update of use_status, park_code, type on device.device for each row execute function inspection.use_changed();
