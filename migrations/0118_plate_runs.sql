-- A plate is found by any run of its characters, the last ones first of all. Each plate of the tables named below stands here once by each of its endings:
-- a run of its characters is the beginning of one of them, and beginnings are what an index has. There are far fewer plates than stays.
-- Two cars that come at the same moment may write a plate twice; that does no harm, and nobody waits for anybody.
create table platform.plate_ending (enterprise_id integer not null, ending text not null, plate_no text not null);
create index plate_ending_run on platform.plate_ending (enterprise_id, ending, plate_no);
select platform.scoped('platform.plate_ending', audited => false, append_only => true);
revoke insert on platform.plate_ending from kerbline_app;

create function platform.know_plate(of_enterprise integer, plate text) returns void language sql security definer set search_path = '' begin atomic
  insert into platform.plate_ending (enterprise_id, ending, plate_no)
    select of_enterprise, substr(plate, start), plate from generate_series(1, length(plate)) start
    where not exists (select from platform.plate_ending known where known.enterprise_id = of_enterprise and known.ending = plate);
end;
create function platform.plates_came() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform platform.know_plate(c.enterprise_id, c.plate_no) from (select distinct enterprise_id, plate_no from came where plate_no is not null) c;
  return null;
end $$;
create function platform.plate_changed() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform platform.know_plate(new.enterprise_id, new.plate_no);
  return null;
end $$;
-- One line makes a table's `plate_no` searchable by any run. The triggers run on restored and copied rows too.
create function platform.plates_found(of regclass) returns void language plpgsql as $$
begin
  execute format('create trigger plates_came after insert on %s referencing new table as came for each statement execute function platform.plates_came()', of);
  execute format('create trigger plate_changed after update of plate_no on %s for each row when (new.plate_no is distinct from old.plate_no and new.plate_no is not null)
    execute function platform.plate_changed()', of);
  execute format('alter table %s enable always trigger plates_came', of);
  execute format('alter table %s enable always trigger plate_changed', of);
  execute format('select platform.know_plate(enterprise_id, plate_no) from (select distinct enterprise_id, plate_no from %s where plate_no is not null) p', of);
end $$;
-- The newest stays of several plates are found in the index alone, the park's policy and the void ones included.
drop index parking.stay_plate;
create index stay_plate on parking.stay (enterprise_id, plate_no, seen_at desc, id desc) include (park_code, status) where third_platform is null;
select platform.plates_found('parking.stay');
select platform.plates_found('settlement.order');
select platform.plates_found('member.list');
