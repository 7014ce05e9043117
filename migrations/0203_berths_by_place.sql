-- Berths of the street and bays of parks stand in one list: a figure of the street opens those of the street alone.
create or replace view roadside.berth_now with (security_invoker = true) as
  select b.id, b.enterprise_id, b.park_code, b.section_code, b.area_code, b.seat_code, b.berth_no, b.type, b.charge_type, b.lng, b.lat, b.status, b.remark, b.version, b.created_at, b.updated_at,
    sec.name as section_name, p.name as park_name, pr.stay_id, pr.plate_no, pr.plate_color,
    case when b.status = 2 or p.status = 2 or sec.flag = 2 then 3
      when s.abnormal_type = 10 or exists (select from parking.stay w where w.enterprise_id = b.enterprise_id and w.park_code = b.park_code and w.seat_code = b.seat_code and w.status = 4) then 2
      when pr.stay_id is not null then 1 else 0 end::smallint as occupy,
    coalesce(s.entry_time, s.exit_time) as arrived_at,
    coalesce((select min(d.kind) from roadside.binding d where d.enterprise_id = b.enterprise_id and d.park_code = b.park_code and d.seat_code = b.seat_code and d.to_at is null), 0)::smallint as detector,
    (exists (select from roadside.binding d where d.enterprise_id = b.enterprise_id and d.park_code = b.park_code and d.seat_code = b.seat_code and d.to_at is null))::int::smallint as bind_state,
    p.p_type
  from roadside.berth b
    join parking.park p on p.enterprise_id = b.enterprise_id and p.park_code = b.park_code
    left join roadside.section sec on sec.enterprise_id = b.enterprise_id and sec.section_code = b.section_code
    left join parking.present pr on pr.enterprise_id = b.enterprise_id and pr.park_code = b.park_code and pr.seat_code = b.seat_code
    left join parking.stay s on s.id = pr.stay_id
  where not b.deleted;
