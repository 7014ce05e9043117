-- What a code is called where it is printed, the photograph of it as it hangs, and how often it was scanned.
drop view parking.qrcode_shown;
alter table parking.qrcode drop column scans, add column photo text;

-- Beside the code: a scan is no change of it and no line in the log of changes.
create table parking.qrcode_scan (
  enterprise_id integer not null, qrcode_id uuid not null, scans bigint not null, primary key (enterprise_id, qrcode_id),
  foreign key (enterprise_id, qrcode_id) references parking.qrcode (enterprise_id, id) on delete cascade);
select platform.scoped('parking.qrcode_scan', audited => false);
revoke insert, update, delete on parking.qrcode_scan from kerbline_app;

create view parking.qrcode_shown with (security_invoker = true) as
  select q.*, q.short_code || '.' || q.version_no || '.' || parking.qr_signature(q.short_code, q.version_no) as code,
    coalesce(case q.target
      when 1 then (select p.name from parking.park p where p.enterprise_id = q.enterprise_id and p.park_code = q.park_code)
      when 2 then (select g.name from parking.gate g where g.enterprise_id = q.enterprise_id and g.park_code = q.park_code and g.gate_code = q.target_code)
    end, q.target_code) as name,
    coalesce((select s.scans from parking.qrcode_scan s where s.enterprise_id = q.enterprise_id and s.qrcode_id = q.id), 0) as scans
  from parking.qrcode q;
grant select on parking.qrcode_shown to kerbline_app;

-- A stranger scans a code: it is counted, and where it hangs and leads to is answered. A code that is not good counts nothing and answers nothing.
create function parking.visit(of_code text) returns table (park_name text, target smallint, target_code text, land_url text)
language sql volatile security definer set search_path = '' as $$
  with code as (
    select q.* from parking.scanned(of_code) s
    join parking.qrcode q on q.enterprise_id = s.enterprise_id and q.park_code = s.park_code and q.target = s.target and q.target_code = s.target_code),
  counted as (
    insert into parking.qrcode_scan as s (enterprise_id, qrcode_id, scans) select c.enterprise_id, c.id, 1 from code c
    on conflict (enterprise_id, qrcode_id) do update set scans = s.scans + 1)
  select p.name, c.target, c.target_code, c.land_url from code c join parking.park p on p.enterprise_id = c.enterprise_id and p.park_code = c.park_code $$;

-- What somebody carries away as sheets for the printer is in the log of exports too.
alter table platform.export drop constraint export_format_check, add check (format in ('xls', 'xlsx', 'csv', 'print'));
